import { HOUR_MS, MINUTE_MS } from '../../src/kernel/clock';
import { StoreUnavailable } from '../../src/kernel/ports/event-store';
import { transferStreamId } from '../../src/modules/transfers/transfer.decider';
import type { NetworkWatcher } from '../../src/watchers/network-watcher';
import { MERCHANT, PaymentFixture, type FixtureOptions } from '../support/payment-fixture';
import { eventsOf, FaultyStore, loseDocuments, passMinutes, sweepAll, typesOf, unreadBlocks } from './set-aside-stage';

const [EARLY, PI, OTHER] = [1, 2, 3].map(number => `pi_0000000000000000000000000${number}`) as [string, string, string];
const [HASH, OTHER_HASH] = [`0x${'11'.repeat(32)}`, `0x${'22'.repeat(32)}`];

let fixture: PaymentFixture;
let watcher: NetworkWatcher;
let unread: Set<string>;
let due: bigint;

async function begin(options: Partial<FixtureOptions> = {}): Promise<void> {
  fixture = new PaymentFixture(options);
  unread = unreadBlocks(fixture.chain);
  fixture.mineEmpty(30);
  watcher = await fixture.watcher();
  await watcher.tick();
  await fixture.quoted(EARLY, '2000');
  await pass(10 * MINUTE_MS);
  due = await fixture.quoted(PI);
  await fixture.quoted(OTHER, '3000');
}

/** Time passes on the chain and the wall, in blocks of a minute. */
async function pass(timeMs: number): Promise<void> {
  passMinutes(fixture, timeMs);
  await watcher.tick();
}

async function statuses(): Promise<readonly string[]> {
  return Promise.all([EARLY, PI, OTHER].map(async id => (await fixture.payment(id)).status));
}

/**
 * The transfer's block cannot be read. The block comes six minutes after the quote: the end of the early one lies
 * before it.
 */
async function payUnread(): Promise<void> {
  fixture.chain.skipTime(6 * MINUTE_MS - 1_000);
  fixture.clock.timeMs += 6 * MINUTE_MS;
  unread.add(fixture.chain.mine(fixture.transfer(HASH, due)).hash);
  await watcher.tick();
}

const holes = (): Promise<readonly string[]> => typesOf(fixture, 'coverage_hole');

describe('a block that cannot be read', () => {
  beforeEach(() => begin());

  it('is recorded before coverage passes it, and what comes behind it is detected', async () => {
    await payUnread();
    const { quote } = (await fixture.payment(OTHER)) as { readonly quote: { readonly due_base_units: string } };
    fixture.chain.mine(fixture.transfer(OTHER_HASH, BigInt(quote.due_base_units)));
    await watcher.tick();
    const [hash] = unread;
    expect(await eventsOf(fixture, 'coverage_hole')).toMatchObject([
      { type: 'CoverageHoleOpened', data: { network_id: 'base', block_hash: hash, reason: 'disputed', tx_hash: null } },
    ]);
    expect(await statuses()).toStrictEqual(['awaiting_payment', 'awaiting_payment', 'detected']);
    await pass(20 * MINUTE_MS);
    expect(await statuses()).toStrictEqual(['awaiting_payment', 'awaiting_payment', 'confirmed']);
    expect((await fixture.coverage())?.number).toBe(fixture.chain.height - 12);
  });

  it('holds the deadlines behind it, and lets those before it pass', async () => {
    await payUnread();
    await pass(20 * MINUTE_MS);
    await sweepAll(fixture);
    expect(await statuses()).toStrictEqual(['expired', 'awaiting_payment', 'awaiting_payment']);
  });

  it('lets all of them pass once it is read, and who paid in it has paid in time', async () => {
    await payUnread();
    await pass(20 * MINUTE_MS);
    await watcher.retrySetAside();
    expect(await holes()).toStrictEqual(['CoverageHoleOpened']);
    unread.clear();
    await watcher.retrySetAside();
    expect(await holes()).toStrictEqual(['CoverageHoleOpened', 'CoverageHoleRead']);
    await sweepAll(fixture);
    await watcher.tick();
    expect(await statuses()).toStrictEqual(['expired', 'confirmed', 'expired']);
  });

  it('keeps the amounts reserved whose time ends behind it', async () => {
    await payUnread();
    const released = async () => (await typesOf(fixture, 'amount_slot')).filter(type => type === 'AmountReleased');
    await pass(25 * HOUR_MS);
    await sweepAll(fixture);
    expect(await released()).toHaveLength(0);
    unread.clear();
    await watcher.retrySetAside();
    await pass(MINUTE_MS);
    await sweepAll(fixture);
    await sweepAll(fixture);
    expect((await released()).length).toBeGreaterThanOrEqual(2);
  });

  it('lets no later transfer expire a payment that may have been paid in it', async () => {
    await payUnread();
    await pass(30 * MINUTE_MS);
    fixture.chain.mine(fixture.transfer(OTHER_HASH, due));
    await watcher.tick();
    expect((await statuses())[1]).toBe('awaiting_payment');
    unread.clear();
    await watcher.retrySetAside();
    await pass(20 * MINUTE_MS);
    expect((await statuses())[1]).toBe('overpaid');
    const types = await typesOf(fixture, 'deferred_transfer');
    expect(types).toStrictEqual(['TransferDeferred', 'DeferredTransferFinished']);
  });

  it('is forgotten when a reorganisation replaces it', async () => {
    await payUnread();
    fixture.chain.reorganise(1);
    await pass(20 * MINUTE_MS);
    await watcher.retrySetAside();
    expect(await holes()).toStrictEqual(['CoverageHoleOpened', 'CoverageHoleDropped']);
    await sweepAll(fixture);
    expect(await statuses()).toStrictEqual(['expired', 'expired', 'expired']);
  });

  it('is kept over a restart, and where every document is lost', async () => {
    await payUnread();
    await pass(20 * MINUTE_MS);
    const { sealed_to = 0 } = (await fixture.coverage()) ?? {};
    await loseDocuments(fixture);
    watcher = await fixture.watcher();
    await watcher.tick();
    expect(sealed_to).toBeGreaterThan(fixture.chain.blockOf(HASH)?.number ?? Infinity);
    await sweepAll(fixture);
    expect(await statuses()).toStrictEqual(['expired', 'awaiting_payment', 'awaiting_payment']);
    expect(await holes()).toStrictEqual(['CoverageHoleOpened']);
  });

  it('shows among the gaps of the coverage, with an alarm of its own', async () => {
    await payUnread();
    await watcher.auditCoverage();
    await watcher.retrySetAside();
    expect(watcher.alarm).toBe('set_aside');
    expect(fixture.notices.at(-1)).toMatchObject({ holes: 1, deferred: 0, isFull: false });
    unread.clear();
    await watcher.retrySetAside();
    expect(watcher.alarm).toBeNull();
  });

  it('is found in a range that is read for good', async () => {
    fixture.chain.skipTime(6 * MINUTE_MS - 1_000);
    fixture.clock.timeMs += 6 * MINUTE_MS;
    unread.add(fixture.chain.mine(fixture.transfer(HASH, due)).hash);
    fixture.mineEmpty(600);
    await watcher.tick();
    expect(await holes()).toStrictEqual(['CoverageHoleOpened']);
    expect((await fixture.coverage())?.number).toBe(fixture.chain.height - 12);
    unread.clear();
    await watcher.retrySetAside();
    await watcher.tick();
    expect((await statuses())[1]).toBe('confirmed');
  });
});

describe('a block that is read again ahead of the scan', () => {
  /** More than the tail spans. */
  const AHEAD = 600;

  /** The customer pays in time. Long after the quote the same amount comes in a block that cannot be read. */
  async function payTwice(): Promise<void> {
    fixture.chain.mine(fixture.transfer(HASH, due));
    fixture.mineEmpty(AHEAD);
    fixture.chain.skipTime(20 * MINUTE_MS);
    fixture.clock.timeMs += 20 * MINUTE_MS;
    unread.add(fixture.chain.mine(fixture.transfer(OTHER_HASH, due)).hash);
    fixture.mineEmpty(20);
  }

  it('has no late transfer that ends a quote, which was paid in a block below', async () => {
    const store = new FaultyStore();
    store.error = () => new StoreUnavailable('away');
    await begin({ store });
    await payTwice();
    store.broken.add(`transfer-${transferStreamId({ network: 'base', txHash: HASH, ordinal: 0 })}`);
    await expect(watcher.tick()).rejects.toThrow(StoreUnavailable);
    expect(await holes()).toStrictEqual(['CoverageHoleOpened']);
    expect(fixture.chain.height - ((await fixture.coverage())?.number ?? 0)).toBeGreaterThan(AHEAD);
    store.broken.clear();
    unread.clear();
    await watcher.retrySetAside();
    expect((await statuses())[1]).toBe('awaiting_payment');
    await watcher.tick();
    await watcher.retrySetAside();
    expect((await statuses())[1]).toBe('overpaid');
    expect(await typesOf(fixture, 'deferred_transfer')).toStrictEqual(['TransferDeferred', 'DeferredTransferFinished']);
  });
});

describe('in live mode', () => {
  beforeEach(() => begin({ mode: 'live' }));

  it('a block is set aside in the reading that coverage goes by, not in that of one provider', async () => {
    await payUnread();
    expect(await holes()).toStrictEqual([]);
    await pass(20 * MINUTE_MS);
    expect(await holes()).toStrictEqual(['CoverageHoleOpened']);
    await pass(10 * MINUTE_MS);
    await sweepAll(fixture);
    expect(await statuses()).toStrictEqual(['expired', 'awaiting_payment', 'awaiting_payment']);
    unread.clear();
    await watcher.retrySetAside();
    await watcher.tick();
    await sweepAll(fixture);
    expect(await statuses()).toStrictEqual(['expired', 'confirmed', 'expired']);
  });
});

describe('on a local chain, whose merchants steer their clocks', () => {
  beforeEach(() => begin({ matchAtFirstSight: true }));

  it('a deadline waits that the clock passed after the block was first seen', async () => {
    fixture.clock.advance(MERCHANT, 6 * MINUTE_MS);
    fixture.clock.timeMs += 1_000;
    unread.add(fixture.chain.mine(fixture.transfer(HASH, due)).hash);
    await watcher.tick();
    fixture.clock.timeMs += 1_000;
    fixture.clock.advance(MERCHANT, HOUR_MS);
    await pass(MINUTE_MS);
    await fixture.sweeper().sweepMerchant(MERCHANT);
    expect(await statuses()).toStrictEqual(['expired', 'awaiting_payment', 'awaiting_payment']);
    unread.clear();
    await watcher.retrySetAside();
    await fixture.sweeper().sweepMerchant(MERCHANT);
    expect(await statuses()).toStrictEqual(['expired', 'detected', 'expired']);
  });
});
