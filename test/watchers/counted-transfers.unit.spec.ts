import type { JsonObject } from '../../src/vocabulary/json';
import type { Document, ListQuery } from '../../src/kernel/ports/documents';
import type { ReadModels } from '../../src/kernel/ports/read-models';
import type { LedgerTransfer, QuotedPaymentIntent } from '../../src/modules/payment-intents/payment-intent.state';
import type { ChainView } from '../../src/watchers/chain-view';
import type { Followed, PaymentTransfers } from '../../src/watchers/payment-transfers';
import { CountedTransfers } from '../../src/watchers/counted-transfers';

const LOOK_BACK_BLOCKS = 4_096;
const HEAD = 10_000;
const STEADY = { from: null, isUnknown: false };

/** `{ pi_1: { 90: true } }`: of one payment a transfer in block 90, which is final. */
type Payments = Readonly<Record<string, Readonly<Record<number, boolean>>>>;

function stage(payments: Payments) {
  const asked: { from: unknown; looked: number[] }[] = [];
  const missing = new Set<number>();
  const broken = new Set<string>();

  const list = (_projection: unknown, { equals, range, after, limit }: ListQuery) => {
    expect(equals).toStrictEqual({ mode: 'live', network_id: 'base' });
    if (after === undefined) asked.push({ from: range?.from, looked: [] });
    const page = Object.keys(payments)
      .filter(id => after === undefined || id > String(after.id))
      .filter(id => Object.keys(payments[id] ?? {}).some(height => Number(height) >= Number(range?.from)));
    return Promise.resolve(page.slice(0, limit).map(id => ({ id, version: 0, body: { merchant_id: 'mch_1' } })));
  };
  const ledger: Pick<PaymentTransfers, 'safely' | 'load' | 'stands'> = {
    safely: async ({ id }: Followed, act) => {
      if (!broken.has(id)) await act();
      return !broken.has(id);
    },
    load: id => {
      const transfers = Object.entries(payments[id] ?? {}).map(([height, final]) => {
        return [height, { block_number: Number(height), final } as LedgerTransfer] as const;
      });
      return Promise.resolve({
        ledger: { transfers: Object.fromEntries(transfers) },
      } as unknown as QuotedPaymentIntent);
    },
    stands: (_payment, _state, { block_number: height }) => {
      asked.at(-1)?.looked.push(height);
      return Promise.resolve(!missing.has(height));
    },
  };
  const readModels = { list: list as unknown as (query: ListQuery) => Promise<readonly Document<JsonObject>[]> };
  const counted = new CountedTransfers('live', 'base', readModels as unknown as ReadModels, ledger as PaymentTransfers);
  const recheck = (replaced: ChainView['replaced'], finalizedHeight = HEAD, isTimeUp?: () => boolean): Promise<void> =>
    counted.recheck({ head: { number: HEAD }, finalizedHeight, replaced } as unknown as ChainView, isTimeUp);
  return { asked, missing, broken, recheck };
}

describe('transfers that have been counted', () => {
  it('are left alone while no block is replaced', async () => {
    const { asked, recheck } = stage({ pi_1: { 90: true } });
    await recheck(STEADY);
    expect(asked).toStrictEqual([]);
  });

  it('are looked at from the lowest replaced block on, once, and no others', async () => {
    const { asked, recheck } = stage({ pi_1: { 89: true, 90: true, 91: false }, pi_2: { 95: true } });
    await recheck({ from: 90, isUnknown: false });
    await recheck(STEADY);
    expect(asked).toStrictEqual([{ from: 90, looked: [90, 95] }]);
  });

  it.each([
    ['20 deep, which counts', HEAD, HEAD - 20 - LOOK_BACK_BLOCKS],
    ['the last that is final', 5_000, 5_000 - LOOK_BACK_BLOCKS],
    ['the first one, of a young chain', 4_000, 0],
  ])('are looked at a long way back where nobody knows what was replaced: from %s', async (_name, finalized, from) => {
    const { asked, recheck } = stage({ pi_1: { 9_990: true } });
    await recheck({ from: null, isUnknown: true }, finalized);
    expect(asked).toStrictEqual([{ from, looked: [9_990] }]);
  });

  it('are looked at from the lower of two bounds', async () => {
    const { asked, recheck } = stage({});
    await recheck({ from: 90, isUnknown: true });
    await recheck({ from: 9_990, isUnknown: true });
    expect(asked.map(({ from }) => from)).toStrictEqual([90, HEAD - 20 - LOOK_BACK_BLOCKS]);
  });

  it('are looked at again at every turn while one is missing, whatever is replaced meanwhile', async () => {
    const { asked, missing, recheck } = stage({ pi_1: { 90: true, 92: true }, pi_2: { 95: true } });
    missing.add(92);
    await recheck({ from: 91, isUnknown: false });
    await recheck(STEADY);
    await recheck({ from: 94, isUnknown: false });
    missing.clear();
    await recheck(STEADY);
    await recheck(STEADY);
    expect(asked).toStrictEqual(Array.from({ length: 4 }, () => ({ from: 91, looked: [92, 95] })));
  });

  it('are looked at again where a payment could not be looked at', async () => {
    const { asked, broken, recheck } = stage({ pi_1: { 90: true }, pi_2: { 95: true } });
    broken.add('pi_1');
    await recheck({ from: 90, isUnknown: false });
    broken.clear();
    await recheck(STEADY);
    await recheck(STEADY);
    expect(asked.map(({ looked }) => looked)).toStrictEqual([[95], [90, 95]]);
  });

  describe('that are very many', () => {
    const MANY = 3_000;
    const payments = Object.fromEntries(
      Array.from({ length: MANY }, (_, number) => [`pi_${String(number).padStart(4, '0')}`, { [100 + number]: true }]),
    );
    const lookedAt = (asked: readonly { readonly looked: readonly number[] }[]) => asked.flatMap(each => each.looked);

    it('are looked at in the course of some ticks', async () => {
      const { asked, recheck } = stage(payments);
      await recheck({ from: 100, isUnknown: false });
      expect(lookedAt(asked).length).toBeLessThanOrEqual(1_000);
      for (let tick = 0; tick < 9; tick++) await recheck(STEADY);
      expect(lookedAt(asked)).toStrictEqual(Array.from({ length: MANY }, (_, number) => 100 + number));
    });

    it('are looked at again where a block is replaced meanwhile', async () => {
      const { asked, recheck } = stage(payments);
      await recheck({ from: 100, isUnknown: false });
      await recheck({ from: 3_090, isUnknown: false });
      for (let tick = 0; tick < 9; tick++) await recheck(STEADY);
      expect(lookedAt(asked)).toHaveLength(MANY + 10);
    });

    it('are left for the next tick once the time is up', async () => {
      const { asked, recheck } = stage(payments);
      await recheck({ from: 100, isUnknown: false }, HEAD, () => true);
      await recheck(STEADY, HEAD, () => true);
      expect(lookedAt(asked)).toStrictEqual([100, 101]);
    });
  });
});
