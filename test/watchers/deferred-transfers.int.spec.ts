import { DAY_MS, MINUTE_MS } from '../../src/kernel/clock';
import { StoreUnavailable } from '../../src/kernel/ports/event-store';
import { TAIL_BLOCKS } from '../../src/watchers/block-tail';
import type { NetworkWatcher } from '../../src/watchers/network-watcher';
import { PaymentFixture } from '../support/payment-fixture';
import {
  eventsOf,
  FaultyStore,
  fillStream,
  loseDocuments,
  passMinutes,
  sweepAll,
  typesOf,
  unreadBlocks,
} from './set-aside-stage';

const [PI, OTHER] = ['pi_00000000000000000000000001', 'pi_00000000000000000000000002'];
const [HASH, OTHER_HASH] = [`0x${'11'.repeat(32)}`, `0x${'22'.repeat(32)}`];
const DEPTH = 20;

let store: FaultyStore;
let fixture: PaymentFixture;
let watcher: NetworkWatcher;
let due: bigint;

async function begin(mode: 'test' | 'live' = 'test'): Promise<void> {
  store = new FaultyStore();
  fixture = new PaymentFixture({ store, mode });
  fixture.mineEmpty(30);
  watcher = await fixture.watcher();
  await watcher.tick();
  due = await fixture.quoted(PI);
}

/** Time passes on the chain and the wall, in blocks of a minute. */
async function pass(timeMs: number): Promise<void> {
  passMinutes(fixture, timeMs);
  await watcher.tick();
}

async function statusOf(id: string): Promise<string> {
  return (await fixture.payment(id)).status;
}

const deferred = (): Promise<readonly string[]> => typesOf(fixture, 'deferred_transfer');

/** The payer's transfer in the next block, while the payment's stream cannot be read. */
async function payBroken(): Promise<void> {
  store.broken.add(`payment_intent-${PI}`);
  fixture.chain.mine(fixture.transfer(HASH, due));
  fixture.clock.timeMs += 1_000;
  await watcher.tick();
  store.broken.clear();
}

describe('a transfer that meets a fault of its own', () => {
  beforeEach(() => begin());

  it('holds up neither the coverage of its network nor what is paid in the same block', async () => {
    const otherDue = await fixture.quoted(OTHER, '3000');
    store.broken.add(`payment_intent-${PI}`);
    fixture.chain.mine(fixture.transfer(HASH, due), fixture.transfer(OTHER_HASH, otherDue));
    fixture.mineEmpty(DEPTH);
    await watcher.tick();
    await watcher.tick();
    expect(await statusOf(OTHER)).toBe('confirmed');
    expect((await fixture.coverage())?.number).toBe(fixture.chain.height - 12);
    const [event] = await eventsOf(fixture, 'deferred_transfer');
    const block = fixture.chain.blockOf(HASH);
    expect(event).toMatchObject({
      type: 'TransferDeferred',
      data: { tx_hash: HASH, block_hash: block?.hash, fault: 'InvariantViolation', value_base_units: due.toString() },
    });
    expect(event?.data.slot).toContain(fixture.address);
  });

  it('is one of a payment whose stream is full, tick after tick: its network goes on', async () => {
    const otherDue = await fixture.quoted(OTHER, '3000');
    await fillStream(fixture, `test.payment_intent-${PI}`);
    fixture.chain.mine(fixture.transfer(HASH, due), fixture.transfer(OTHER_HASH, otherDue));
    for (let block = 0; block < DEPTH; block++) {
      fixture.mineEmpty(1);
      await watcher.tick();
      await watcher.retrySetAside();
    }
    expect(await statusOf(OTHER)).toBe('confirmed');
    expect(await deferred()).toStrictEqual(['TransferDeferred']);
    expect(watcher.alarm).toBe('set_aside');
  });

  it('is recorded before coverage passes it', async () => {
    const covered = (await fixture.coverage())?.covered_until;
    const append = store.append.bind(store);
    store.append = (stream, ...rest) => {
      if (stream.includes('.deferred_transfer-')) return Promise.reject(new StoreUnavailable('away'));
      return append(stream, ...rest);
    };
    await expect(payBroken()).rejects.toThrow(StoreUnavailable);
    expect((await fixture.coverage())?.covered_until).toBe(covered);
  });

  it('is credited once the fault is over, by the loop that tries again', async () => {
    await payBroken();
    expect(await statusOf(PI)).toBe('awaiting_payment');
    await watcher.retrySetAside();
    expect(await deferred()).toStrictEqual(['TransferDeferred', 'DeferredTransferFinished']);
    fixture.mineEmpty(DEPTH);
    await watcher.tick();
    expect(await statusOf(PI)).toBe('confirmed');
  });

  it('holds the deadlines of its slot’s payment only, and for as long as it waits', async () => {
    await fixture.quoted(OTHER, '3000');
    await payBroken();
    await pass(16 * MINUTE_MS);
    await sweepAll(fixture);
    expect([await statusOf(PI), await statusOf(OTHER)]).toStrictEqual(['awaiting_payment', 'expired']);
    await watcher.retrySetAside();
    await pass(20 * MINUTE_MS);
    await sweepAll(fixture);
    expect(await statusOf(PI)).toBe('confirmed');
  });

  it('keeps its amount reserved', async () => {
    await pass(16 * MINUTE_MS);
    await sweepAll(fixture);
    expect(await statusOf(PI)).toBe('expired');
    await payBroken();
    const isReleased = async () => (await typesOf(fixture, 'amount_slot')).includes('AmountReleased');
    await pass(DAY_MS);
    await sweepAll(fixture);
    expect(await isReleased()).toBe(false);
    await watcher.retrySetAside();
    await pass(20 * MINUTE_MS);
    await sweepAll(fixture);
    expect(await statusOf(PI)).toBe('paid_late');
    expect(await isReleased()).toBe(true);
  });

  it('lets no later transfer expire its payment', async () => {
    await payBroken();
    await pass(20 * MINUTE_MS);
    fixture.chain.mine(fixture.transfer(OTHER_HASH, due));
    fixture.clock.timeMs += 1_000;
    await watcher.tick();
    expect(await statusOf(PI)).toBe('awaiting_payment');
    const faults = (await eventsOf(fixture, 'deferred_transfer')).map(({ data }) => data.fault);
    expect(faults).toStrictEqual(['InvariantViolation', 'NotGapless']);
    await watcher.retrySetAside();
    await watcher.retrySetAside();
    await pass(20 * MINUTE_MS);
    expect(await statusOf(PI)).toBe('overpaid');
    expect(watcher.alarm).toBeNull();
  });

  it('ends no quote while the scan may have left blocks below it unread', async () => {
    const unread = unreadBlocks(fixture.chain);
    unread.add(fixture.chain.mine().hash);
    await pass(20 * MINUTE_MS);
    fixture.chain.mine(fixture.transfer(HASH, due));
    await watcher.tick();
    expect(await deferred()).toStrictEqual(['TransferDeferred']);
    fixture.chain.isAgreed = false;
    fixture.mineEmpty(TAIL_BLOCKS);
    await watcher.tick();
    fixture.chain.isAgreed = true;
    unread.clear();
    await watcher.retrySetAside();
    const isHoleRead = (await typesOf(fixture, 'coverage_hole')).includes('CoverageHoleRead');
    expect([isHoleRead, await statusOf(PI)]).toStrictEqual([true, 'awaiting_payment']);
    await watcher.tick();
    await watcher.retrySetAside();
    expect(await statusOf(PI)).toBe('paid_late');
  });

  it('is dropped when its block is replaced, and holds nothing any more', async () => {
    await payBroken();
    fixture.chain.reorganise(1);
    await pass(20 * MINUTE_MS);
    await watcher.retrySetAside();
    expect(await deferred()).toStrictEqual(['TransferDeferred', 'DeferredTransferDropped']);
    await sweepAll(fixture);
    expect(await statusOf(PI)).toBe('expired');
  });

  it('is not dropped before coverage has passed what replaced its block', async () => {
    await payBroken();
    fixture.chain.reorganise(1);
    await watcher.retrySetAside();
    expect(await deferred()).toStrictEqual(['TransferDeferred']);
  });

  it('is met again in the block that it moves to', async () => {
    await payBroken();
    fixture.chain.reorganise(1, [fixture.transfer(HASH, due)]);
    await pass(20 * MINUTE_MS);
    await watcher.retrySetAside();
    expect(await deferred()).toStrictEqual(['TransferDeferred', 'DeferredTransferDropped']);
    expect(await statusOf(PI)).toBe('confirmed');
  });

  it('is kept over a restart, and where every document is lost', async () => {
    await payBroken();
    await pass(20 * MINUTE_MS);
    const sealedTo = (await fixture.coverage())?.sealed_to;
    expect(sealedTo).toBeGreaterThan(fixture.chain.blockOf(HASH)?.number ?? Infinity);
    await loseDocuments(fixture);
    watcher = await fixture.watcher();
    await watcher.tick();
    await sweepAll(fixture);
    expect(await statusOf(PI)).toBe('awaiting_payment');
    await watcher.retrySetAside();
    await pass(20 * MINUTE_MS);
    expect(await statusOf(PI)).toBe('confirmed');
  });

  it('raises an alarm, and tells the operator, while it waits', async () => {
    await payBroken();
    store.broken.add(`payment_intent-${PI}`);
    await watcher.retrySetAside();
    expect(watcher.alarm).toBe('set_aside');
    expect(fixture.notices.at(-1)).toMatchObject({ network: 'base', holes: 0, deferred: 1, isFull: false });
    store.broken.clear();
    await watcher.retrySetAside();
    expect(watcher.alarm).toBeNull();
    expect(fixture.notices).toHaveLength(1);
  });
});

describe('an outage', () => {
  beforeEach(() => begin());

  it.each([
    ['the log', () => new StoreUnavailable('away')],
    ['a provider', () => Object.assign(new Error('reset'), { code: 'ECONNRESET' })],
  ])('of %s ends the tick and sets nothing aside', async (_, error) => {
    store.error = error;
    const before = await fixture.coverage();
    await expect(payBroken()).rejects.toThrow();
    expect(await deferred()).toStrictEqual([]);
    expect(await fixture.coverage()).toStrictEqual(before);
    store.broken.clear();
    await watcher.tick();
    expect(await statusOf(PI)).toBe('detected');
  });

  it('ends a round of the loop that tries again, and ends nothing else', async () => {
    await payBroken();
    store.error = () => new StoreUnavailable('away');
    store.broken.add(`payment_intent-${PI}`);
    await expect(watcher.retrySetAside()).rejects.toThrow(StoreUnavailable);
    expect(await deferred()).toStrictEqual(['TransferDeferred']);
  });
});

describe('in live mode', () => {
  beforeEach(() => begin('live'));

  it('a transfer is set aside in the reading that coverage goes by, not in that of one provider', async () => {
    store.broken.add(`payment_intent-${PI}`);
    fixture.chain.mine(fixture.transfer(HASH, due));
    await watcher.tick();
    expect(await deferred()).toStrictEqual([]);
    fixture.mineEmpty(DEPTH);
    await watcher.tick();
    expect(await deferred()).toStrictEqual(['TransferDeferred']);
    expect((await fixture.coverage())?.number).toBe(fixture.chain.height - DEPTH);
    store.broken.clear();
    await watcher.retrySetAside();
    await watcher.tick();
    expect(await statusOf(PI)).toBe('confirmed');
  });
});
