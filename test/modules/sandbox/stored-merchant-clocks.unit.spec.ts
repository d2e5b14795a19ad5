import { StoredReadModels } from '../../../projections/runner/read-models';
import { composeAccess } from '../../../src/composition/access';
import { AccessReader } from '../../../src/kernel/access-reader';
import { isoTime, MINUTE_MS } from '../../../src/kernel/clock';
import { systemContext } from '../../../src/kernel/command-context';
import { randomUuid } from '../../../src/kernel/entropy';
import type { KnownClock } from '../../../src/kernel/merchant-clocks';
import { WritePath } from '../../../src/kernel/write-path';
import { sandboxClocks } from '../../../src/modules/sandbox/sandbox-clock.decider';
import { StoredMerchantClocks } from '../../../src/modules/sandbox/stored-merchant-clocks';
import { MemoryDocuments } from '../../support/memory-documents';
import { MemoryEventStore } from '../../support/memory-event-store';
import { CountingEntropy, ManualClock, MERCHANT, NOON } from '../../support/payment-fixture';

const OTHER = 'mch_00000000000000000000000001';

describe('merchants’ clocks', () => {
  const entropy = new CountingEntropy();
  let wall: ManualClock;
  let store: MemoryEventStore;
  let documents: MemoryDocuments;
  let clocks: StoredMerchantClocks;

  beforeEach(() => {
    wall = new ManualClock(NOON);
    store = new MemoryEventStore();
    documents = new MemoryDocuments();
    clocks = instance().clocks;
  });

  afterEach(() => jest.restoreAllMocks());

  /** The clocks as each process has them. */
  function instance() {
    const composed = composeAccess(store, documents, new StoredReadModels(documents, store, wall));
    return { clocks: new StoredMerchantClocks(wall, store, composed.access), store: composed.store };
  }

  async function advance(byMs: number, merchantId = MERCHANT): Promise<void> {
    const writes = new WritePath(instance().store, wall, () => Promise.resolve());
    const context = systemContext(randomUuid(entropy), { actor: 'sweeper', mode: 'test', merchantId, now: wall.now() });
    await writes.execute(sandboxClocks, merchantId, { type: 'advance', byMs, wallMs: wall.now() }, context);
  }

  it('are the wall’s until they are advanced, and in live mode always', async () => {
    expect(await clocks.merchantNow('test', MERCHANT)).toBe(NOON);
    await advance(MINUTE_MS);
    expect(await clocks.merchantNow('test', MERCHANT)).toBe(NOON + MINUTE_MS);
    expect(await clocks.merchantNow('test', OTHER)).toBe(NOON);
    expect(await clocks.merchantNow('test', null)).toBe(NOON);
    expect(await clocks.merchantNow('live', MERCHANT)).toBe(NOON);
    expect(await clocks.merchantNow('platform', MERCHANT)).toBe(NOON);
    expect(clocks.now()).toBe(NOON);
  });

  it('tick, and are known to every instance at once', async () => {
    await advance(MINUTE_MS);
    const elsewhere = instance().clocks;
    wall.timeMs += 5_000;
    expect(await elsewhere.merchantNow('test', MERCHANT)).toBe(NOON + MINUTE_MS + 5_000);
    await advance(2 * MINUTE_MS);
    expect(await clocks.merchantNow('test', MERCHANT)).toBe(NOON + 3 * MINUTE_MS + 5_000);
    expect(await elsewhere.merchantNow('test', MERCHANT)).toBe(NOON + 3 * MINUTE_MS + 5_000);
  });

  it('cost one read of one document, in test mode only', async () => {
    for (let count = 0; count < 100; count++) await advance(1_000);
    await clocks.merchantNow('test', MERCHANT);
    const reads = jest.spyOn(store, 'readStream');
    await clocks.merchantNow('test', MERCHANT);
    expect(reads).toHaveBeenCalledTimes(0);
    await advance(1_000);
    reads.mockClear();
    await clocks.merchantNow('live', MERCHANT);
    expect(reads).toHaveBeenCalledTimes(0);
    await clocks.merchantNow('test', MERCHANT);
    expect(reads).toHaveBeenCalledTimes(1);
    expect(await reads.mock.results[0]?.value).toHaveLength(1);
  });

  it('tell what they showed at any moment of the wall’s', async () => {
    const shown = new Map<number, number>();
    for (let count = 1; count <= 70; count++) {
      wall.timeMs += 1_000;
      shown.set(wall.timeMs - 1, wall.timeMs - 1 + (count - 1) * MINUTE_MS);
      await advance(MINUTE_MS);
      shown.set(wall.timeMs, wall.timeMs + count * MINUTE_MS);
    }
    for (const [wallMs, clockMs] of shown) {
      expect(await clocks.merchantTimeAt('test', MERCHANT, wallMs)).toBe(clockMs);
    }
    expect(await clocks.merchantTimeAt('live', MERCHANT, NOON)).toBe(NOON);
    expect(await clocks.merchantTimeAt('test', OTHER, NOON)).toBe(NOON);
  });

  it('are asked for together, apart from the one that is known', async () => {
    await advance(MINUTE_MS);
    await advance(2 * MINUTE_MS, OTHER);
    const asked = jest.spyOn(AccessReader.prototype, 'read');
    const times = (known?: KnownClock) => clocks.merchantTimesAt('test', [MERCHANT, OTHER], NOON, known);
    expect(Object.fromEntries(await times())).toEqual({ [MERCHANT]: NOON + MINUTE_MS, [OTHER]: NOON + 2 * MINUTE_MS });
    expect(asked.mock.calls.map(([questions]) => questions.length)).toEqual([2]);
    asked.mockClear();
    const clock = { aheadMs: MINUTE_MS, advancedAt: isoTime(NOON) };
    expect((await times({ universe: 'test', merchantId: MERCHANT, clock })).get(MERCHANT)).toBe(NOON + MINUTE_MS);
    expect(asked.mock.calls.map(([questions]) => questions.length)).toEqual([1]);
    asked.mockClear();
    expect(await clocks.merchantNow('test', MERCHANT, { universe: 'test', merchantId: MERCHANT, clock })).toBe(
      NOON + MINUTE_MS,
    );
    expect(asked).not.toHaveBeenCalled();
    expect(await clocks.merchantNow('test', OTHER, { universe: 'test', merchantId: MERCHANT, clock })).toBe(
      NOON + 2 * MINUTE_MS,
    );
    expect(await clocks.merchantNow('test', MERCHANT, { universe: 'test', merchantId: MERCHANT })).toBe(
      NOON + MINUTE_MS,
    );
  });

  it('tell an earlier moment by the stream, also where they are known', async () => {
    await advance(MINUTE_MS);
    wall.timeMs += 5_000;
    await advance(MINUTE_MS);
    const clock = { aheadMs: 2 * MINUTE_MS, advancedAt: isoTime(wall.timeMs) };
    const at = (wallMs: number) =>
      clocks.merchantTimeAt('test', MERCHANT, wallMs, { universe: 'test', merchantId: MERCHANT, clock });
    expect(await at(NOON)).toBe(NOON + MINUTE_MS);
    expect(await at(wall.timeMs)).toBe(wall.timeMs + 2 * MINUTE_MS);
  });
});
