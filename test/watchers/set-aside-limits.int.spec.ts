import { coverageHolesProjection } from '../../projections/coverage-holes.projection';
import { deferredTransfersProjection } from '../../projections/deferred-transfers.projection';
import { collectionSpec } from '../../projections/runner/projection-collection';
import { MINUTE_MS, type Clock } from '../../src/kernel/clock';
import type { Projection } from '../../src/kernel/projection';
import type { NetworkWatcher } from '../../src/watchers/network-watcher';
import { DEFERRED_LIMIT, HOLES_LIMIT } from '../../src/watchers/set-aside-lists';
import { PaymentFixture } from '../support/payment-fixture';
import { FaultyStore, typesOf, unreadBlocks } from './set-aside-stage';

const [PI, OTHER] = ['pi_00000000000000000000000001', 'pi_00000000000000000000000002'];
const [HASH, OTHER_HASH] = [`0x${'11'.repeat(32)}`, `0x${'22'.repeat(32)}`];

let store: FaultyStore;
let fixture: PaymentFixture;
let watcher: NetworkWatcher;
let unread: Set<string>;
let due: bigint;

beforeEach(async () => {
  store = new FaultyStore();
  fixture = new PaymentFixture({ store });
  unread = unreadBlocks(fixture.chain);
  fixture.mineEmpty(30);
  watcher = await fixture.watcher();
  await watcher.tick();
  due = await fixture.quoted(PI);
});

/** The read model gets so many further entries, far from those of the test. */
async function fill(projection: Projection, count: number): Promise<void> {
  const collection = await fixture.documents.open(collectionSpec(projection));
  const body = { mode: 'test', network_id: 'base', status: 'open', instance: 'another', slot: 'another' };
  const times = { block_time: '2026-11-01T00:00:00.000Z', seen_at: '2026-11-01T00:00:00.000Z' };
  const since = { opened_at: '2026-11-01T00:00:00.000Z', deferred_at: '2026-11-01T00:00:00.000Z' };
  for (let index = 0; index < count; index++) {
    const id = `base:filling:${index}`;
    await collection.put({ id, version: 0, body: { ...body, ...times, ...since, block_number: 1 } });
  }
}

async function empty(projection: Projection, count: number): Promise<void> {
  const collection = await fixture.documents.open(collectionSpec(projection));
  for (let index = 0; index < count; index++) await collection.deleteUpTo(`base:filling:${index}`, Infinity);
}

async function isCurrent(): Promise<boolean> {
  return (await (await fixture.frontiers()).sightOf('test', 'base')) === 'in_time';
}

describe.each([
  ['blocks', coverageHolesProjection, HOLES_LIMIT, 'coverage_hole'],
  ['transfers', deferredTransfersProjection, DEFERRED_LIMIT, 'deferred_transfer'],
] as const)('as many %s as can be set aside', (what, projection, limit, category) => {
  function fault(): void {
    const block = fixture.chain.mine(fixture.transfer(HASH, due));
    if (what === 'blocks') unread.add(block.hash);
    else store.broken.add(`payment_intent-${PI}`);
    fixture.clock.timeMs += 1_000;
  }

  it('have room for one less than that', async () => {
    await fill(projection, limit - 1);
    fault();
    await watcher.tick();
    expect(await typesOf(fixture, category)).toHaveLength(1);
    expect(watcher.alarm).toBeNull();
    expect(await isCurrent()).toBe(true);
  });

  it('let scanning wait, with an alarm and without new quotes, until there is room', async () => {
    await fill(projection, limit);
    const covered = (await fixture.coverage())?.covered_until;
    fault();
    await watcher.tick();
    await watcher.tick();
    expect(await typesOf(fixture, category)).toStrictEqual([]);
    expect((await fixture.coverage())?.covered_until).toBe(covered);
    expect(watcher.alarm).toBe('set_aside_full');
    expect(await isCurrent()).toBe(false);
    await watcher.retrySetAside();
    expect(fixture.notices.at(-1)).toMatchObject({ isFull: true });
    const waits = fixture.log.lines.filter(({ message }) => message.endsWith('scanning waits'));
    expect(waits).toHaveLength(1);
    await empty(projection, limit);
    await watcher.tick();
    expect(await typesOf(fixture, category)).toHaveLength(1);
    expect(watcher.alarm).not.toBe('set_aside_full');
    expect(await isCurrent()).toBe(true);
  });

  it('stop no payment that was seen before', async () => {
    const otherDue = await fixture.quoted(OTHER, '3000');
    fixture.chain.mine(fixture.transfer(OTHER_HASH, otherDue));
    await watcher.tick();
    await fill(projection, limit);
    fault();
    fixture.mineEmpty(20);
    await watcher.tick();
    expect((await fixture.payment(OTHER)).status).toBe('confirmed');
  });

  it('take no second place for what is set aside already', async () => {
    fault();
    await watcher.tick();
    await fill(projection, limit - 1);
    const restarted = await fixture.watcher();
    await restarted.tick();
    fixture.mineEmpty(1);
    await restarted.tick();
    expect(restarted.alarm).toBeNull();
    expect(await typesOf(fixture, category)).toHaveLength(1);
  });

  it('of another instance of the chain are dropped', async () => {
    fault();
    await watcher.tick();
    const id = (await fixture.setAside().holes(1))[0] ?? (await fixture.setAside().deferred(1))[0];
    const collection = await fixture.documents.open(collectionSpec(projection));
    await collection.put({
      ...(id as never as { id: string; version: number; body: object }),
      body: { ...id?.body, instance: 'former' },
    } as never);
    await watcher.retrySetAside();
    expect((await typesOf(fixture, category)).at(-1)).toMatch(/Dropped$/);
  });
});

describe('the loop that tries again', () => {
  const TRANSFERS_A_ROUND = 32;

  async function payBroken(): Promise<void> {
    store.broken.add(`payment_intent-${PI}`);
    fixture.chain.mine(fixture.transfer(HASH, due));
    await watcher.tick();
  }

  it('comes to the others where many stay at fault', async () => {
    await payBroken();
    store.broken.clear();
    await fill(deferredTransfersProjection, TRANSFERS_A_ROUND);
    await watcher.retrySetAside();
    expect(await typesOf(fixture, 'deferred_transfer')).toHaveLength(1);
    await watcher.retrySetAside();
    expect((await typesOf(fixture, 'deferred_transfer')).at(-1)).toBe('DeferredTransferFinished');
  });

  it('pauses for longer while nothing comes of it, up to two minutes', async () => {
    await payBroken();
    const stopping = new AbortController();
    const pauses: number[] = [];
    jest.spyOn(fixture.clock as Clock, 'wait').mockImplementation(async delayMs => {
      await new Promise(setImmediate);
      // The scan's own pause is shorter.
      if (delayMs >= 10_000) pauses.push(delayMs);
      if (pauses.length === 5) store.broken.clear();
      if (pauses.length === 7) stopping.abort();
    });
    await watcher.run(stopping.signal);
    expect(pauses.slice(0, 7)).toStrictEqual([20_000, 40_000, 80_000, 120_000, 120_000, 10_000, 10_000]);
  });
});

describe('what was read', () => {
  it('is up to date for five minutes', async () => {
    const covered = Date.parse((await fixture.coverage())?.covered_until ?? '');
    fixture.clock.timeMs = covered + 5 * MINUTE_MS;
    expect(await isCurrent()).toBe(true);
    fixture.clock.timeMs += 1;
    expect(await isCurrent()).toBe(false);
    fixture.chain.skipTime(5 * MINUTE_MS);
    fixture.chain.mine();
    await watcher.tick();
    expect(await isCurrent()).toBe(true);
  });

  it('of another instance of the chain, or of nobody, is not', async () => {
    expect(await (await fixture.frontiers()).sightOf('live', 'base')).toBe('none');
    expect(await (await fixture.frontiers()).sightOf('test', 'bnb')).toBe('none');
  });
});
