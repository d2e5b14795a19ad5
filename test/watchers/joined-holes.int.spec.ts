import { coverageHolesProjection } from '../../projections/coverage-holes.projection';
import { collectionSpec } from '../../projections/runner/projection-collection';
import { refuse } from '../../src/vocabulary/errors';
import { coverageHoles } from '../../src/modules/coverage/coverage-hole.decider';
import { HOLES_LIMIT } from '../../src/watchers/set-aside-lists';
import type { NetworkWatcher } from '../../src/watchers/network-watcher';
import { NOON, PaymentFixture } from '../support/payment-fixture';
import { ScriptedChain } from '../support/scripted-chain';
import { eventsOf, loseDocuments, typesOf, unreadBlocks } from './set-aside-stage';

const PI = 'pi_00000000000000000000000001';
const HASH = `0x${'11'.repeat(32)}`;
const TIME = '2026-11-01T12:00:00.000Z';

let chain: ScriptedChain;
let fixture: PaymentFixture;

beforeEach(() => {
  chain = new ScriptedChain(NOON);
  fixture = new PaymentFixture({ mode: 'live', network: 'bnb', chain });
});

async function extents(): Promise<readonly (readonly [number, number])[]> {
  const open = await fixture.setAside().holes(HOLES_LIMIT);
  return open.map(({ body: { block_number, to_number } }) => [block_number, to_number] as const);
}

const types = (): Promise<readonly string[]> => typesOf(fixture, 'coverage_hole');

describe('a hole that is opened', () => {
  const open = async (block_number: number, to_number = block_number, fork = ''): Promise<void> => {
    const place = { block_number, to_number, block_hash: `0x${fork}${to_number}`, block_time: TIME, seen_at: TIME };
    await fixture.setAside().openHole({ ...place, reason: 'disputed', tx_hash: '0xaa' });
  };

  const close = async (id: string): Promise<void> => {
    const actor = { role: 'admin', type: 'admin', id: 'adm_1' } as const;
    const context = { ...fixture.context(), merchantId: null, actor };
    await fixture.writes.execute(coverageHoles, id, { type: 'close', note: 'lost by all' }, context);
  };

  test('becomes part of the one that ends before it', async () => {
    await open(100);
    await open(101, 120);
    await open(115, 130);
    expect(await extents()).toStrictEqual([[100, 130]]);
    expect(await types()).toStrictEqual(['CoverageHoleOpened', 'CoverageHoleExtended', 'CoverageHoleExtended']);
    const [hole] = await fixture.setAside().holes(1);
    expect(hole?.body).toMatchObject({ block_hash: '0x130', tx_hash: null });
  });

  test('within another one is held by it', async () => {
    await open(100, 120);
    await open(110, 112);
    expect(await types()).toStrictEqual(['CoverageHoleOpened']);
  });

  test('further on, or in the place of another, has a stream of its own', async () => {
    await open(100);
    await open(100, 100, 'b');
    await open(103);
    expect(await extents()).toStrictEqual([[100, 100], [100, 100], [103, 103]]); // prettier-ignore
  });

  test('that an administrator has given up stays so beside an open one', async () => {
    await open(101);
    const [own] = await fixture.setAside().holes(1);
    await close(own?.id ?? '');
    await open(100);
    await open(101);
    expect(await extents()).toStrictEqual([[100, 100]]);
    expect(await types()).toStrictEqual(['CoverageHoleOpened', 'CoverageHoleClosed', 'CoverageHoleOpened']);
  });

  test('that is open stays so beside another, and is met again', async () => {
    await open(101);
    await open(100);
    await open(101);
    expect(await extents()).toStrictEqual([[100, 100], [101, 101]]); // prettier-ignore
  });

  test('is taken up from further on where there are many', async () => {
    for (let index = 0; index < HOLES_LIMIT / 2; index++) await open(1_000 * (index + 1));
    const before = await types();
    await open(32_100);
    await open(32_200, 32_210);
    await open(32_311);
    expect((await types()).slice(before.length)).toStrictEqual([
      'CoverageHoleExtended',
      'CoverageHoleExtended',
      'CoverageHoleOpened',
    ]);
    expect((await extents()).slice(-2)).toStrictEqual([[32_000, 32_210], [32_311, 32_311]]); // prettier-ignore
  });

  test('has a stream of its own where the other would be too long for one reading', async () => {
    await open(100, 10_099);
    await open(10_100);
    expect(await extents()).toStrictEqual([[100, 10_099], [10_100, 10_100]]); // prettier-ignore
  });

  test('is not ended by a look at what it was before it grew', async () => {
    await open(100);
    const [hole] = await fixture.setAside().holes(1);
    await open(101);
    await fixture.setAside().endHole(hole?.id ?? '', 'read', 100, 100);
    expect(await extents()).toStrictEqual([[100, 101]]);
    await fixture.setAside().endHole(hole?.id ?? '', 'read', 100, 101);
    expect(await extents()).toStrictEqual([]);
  });

  test('is found to its whole extent where documents are lost, or are of before it grew', async () => {
    await open(100);
    const [former] = await fixture.setAside().holes(1);
    await open(101, 120);
    await loseDocuments(fixture);
    await fixture.setAside().restore();
    expect(await extents()).toStrictEqual([[100, 120]]);
    await loseDocuments(fixture);
    const collection = await fixture.documents.open(collectionSpec(coverageHolesProjection));
    await collection.put(former as never);
    await fixture.setAside().restore();
    expect(await extents()).toStrictEqual([[100, 120]]);
  });

  test('is found where it was opened again, shorter than before', async () => {
    await open(100);
    const [hole] = await fixture.setAside().holes(1);
    await open(101, 150);
    await fixture.setAside().endHole(hole?.id ?? '', 'read', 100, 150);
    await open(100);
    await loseDocuments(fixture);
    await fixture.setAside().restore();
    expect(await extents()).toStrictEqual([[100, 100]]);
  });
});

describe('a round over holes', () => {
  const REFUSED: readonly number[] = [100, 300];
  let asked: number[];
  let watcher: NetworkWatcher;

  beforeEach(async () => {
    chain.mineEmpty(500);
    watcher = await fixture.watcher();
    await watcher.tick();
    asked = [];
    const inRange = chain.transfersInRange.bind(chain);
    chain.transfersInRange = (from, ...rest) => {
      asked.push(from);
      return REFUSED.includes(from) ? Promise.reject(refuse('provider_unavailable')) : inRange(from, ...rest);
    };
  });

  async function open(...heights: readonly number[]): Promise<void> {
    for (const height of heights) {
      const block_hash = (await chain.blockAt(height))?.hash ?? '';
      const place = { block_number: height, to_number: height, block_hash, block_time: TIME, seen_at: TIME };
      await fixture.setAside().openHole({ ...place, reason: 'unreadable', tx_hash: null });
    }
  }

  test('comes to those behind one that the providers refuse, and tells of it', async () => {
    await open(100, 200);
    await watcher.retrySetAside();
    expect(await extents()).toStrictEqual([[100, 100]]);
    const told = fixture.log.lines.filter(({ message }) => message === 'what is set aside could not be tried again');
    expect(told).toMatchObject([{ level: 'warn', facts: { err: { code: 'provider_unavailable' } } }]);
  });

  test('ends at the second refusal in a row, as in an outage', async () => {
    await open(100, 300, 400);
    await expect(watcher.retrySetAside()).rejects.toMatchObject({ code: 'provider_unavailable' });
    expect(asked).toStrictEqual([100, 300]);
  });
});

describe('a run of blocks that are in dispute', () => {
  const LENGTH = HOLES_LIMIT + 40;
  let watcher: NetworkWatcher;
  let unread: Set<string>;
  let first: number;
  let due: bigint;

  beforeEach(async () => {
    unread = unreadBlocks(chain);
    await pass(60);
    watcher = await fixture.watcher();
    await watcher.tick();
    due = await fixture.quoted(PI);
    first = chain.height + 1;
    unread.add(chain.mine(fixture.transfer(HASH, due)).hash);
    for (let block = 1; block < LENGTH; block++) unread.add(chain.mine().hash);
    fixture.clock.timeMs += LENGTH * 1_000;
    await pass(60);
    await watcher.tick();
  });

  function pass(blocks: number): Promise<void> {
    chain.mineEmpty(blocks);
    fixture.clock.timeMs += blocks * 1_000;
    return Promise.resolve();
  }

  const status = async (): Promise<string> => (await fixture.payment(PI)).status;

  test('is one hole, behind which scanning and the deadlines before it go on', async () => {
    expect(await extents()).toStrictEqual([[first, first + LENGTH - 1]]);
    expect(watcher.alarm).toBeNull();
    expect((await fixture.coverage())?.number).toBe(chain.height - 15);
    const [opened] = await eventsOf(fixture, 'coverage_hole');
    const block_time = new Date((await chain.blockAt(first))?.timeMs ?? NaN).toISOString();
    expect(opened).toMatchObject({ data: { block_time, reason: 'disputed', tx_hash: null } });
  });

  test('holds the deadlines behind its first block, and is read as one', async () => {
    await pass(1_000);
    await watcher.tick();
    await fixture.sweeper().sweep('quote');
    expect(await status()).toBe('awaiting_payment');
    await watcher.retrySetAside();
    expect(await types()).toStrictEqual(['CoverageHoleOpened']);
    unread.clear();
    await watcher.retrySetAside();
    expect(await types()).toStrictEqual(['CoverageHoleOpened', 'CoverageHoleRead']);
    await watcher.tick();
    await fixture.sweeper().sweep('quote');
    expect(await status()).toBe('confirmed');
  });

  test('stays while one of its blocks cannot be read', async () => {
    const last = (await chain.blockAt(first + LENGTH - 1))?.hash ?? '';
    unread.clear();
    unread.add(last);
    await watcher.retrySetAside();
    expect(await types()).toStrictEqual(['CoverageHoleOpened']);
    await watcher.tick();
    // The part that could be read counts all the same.
    expect(await status()).toBe('confirmed');
  });

  test('whose end is replaced is given up once all that stands in its place is read', async () => {
    const transfers = chain.transactionsOfLast(chain.height - first + 1);
    expect(transfers).toHaveLength(1);
    chain.reorganise(chain.height - first - 10);
    await pass(2);
    await watcher.tick();
    await watcher.retrySetAside();
    expect(await extents()).toStrictEqual([[first, first + LENGTH - 1]]);
    unread.clear();
    await watcher.retrySetAside();
    expect(await types()).toStrictEqual(['CoverageHoleOpened', 'CoverageHoleDropped']);
    await watcher.tick();
    expect(await status()).toBe('confirmed');
  });
});
