import { stretchKey, withSlot } from '../../../src/modules/amount-slots/taken-amounts.read-model';
import { tightestGrids, tightestPrice } from '../../../src/modules/amount-slots/tightest-price';
import { gridWindow } from '../../../src/modules/quotes/amount-grid';
import { TOKENS } from '../../../src/vocabulary/tokens';

const TOKEN = TOKENS['usdc-base'];
const WHOLE = 10n ** BigInt(TOKEN.decimals);

function documentsOf(slots: readonly bigint[]) {
  const taken = new Map<string, string>();
  for (const slot of slots) taken.set(stretchKey(slot), withSlot(taken.get(stretchKey(slot)) ?? null, slot, true));
  return [...taken]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([stretch, bits]) => ({ stretch, taken: bits }));
}

/** So many amounts above a price, from the first one on. */
const above = (price: bigint, many: number): readonly bigint[] =>
  Array.from({ length: many }, (_, index) => gridWindow(TOKEN, price).first + BigInt(index));

it('is none where no amount is taken', () => {
  expect(tightestPrice(TOKEN, [])).toBeNull();
});

it('is the price with the smallest share of free amounts', () => {
  const { first, count } = gridWindow(TOKEN, 10n * WHOLE);
  const documents = documentsOf([...above(10n * WHOLE, 40), ...above(500n * WHOLE, 60)]);
  expect(tightestPrice(TOKEN, documents)).toEqual({
    // The highest price with this first amount.
    priceBaseUnits: first * TOKEN.stepBaseUnits - TOKEN.attributionToleranceBaseUnits,
    free: count - 40,
    of: count,
  });
});

it('counts neighbours of two stretches together', () => {
  const slots = above(10n * WHOLE, gridWindow(TOKEN, 10n * WHOLE).count);
  const edge = 4_096n * 300n;
  const moved = slots.map((_, index) => edge - 20n + BigInt(index));
  const documents = documentsOf(moved);
  expect(documents).toHaveLength(2);
  expect(tightestPrice(TOKEN, documents)?.free).toBe(0);
});

describe('the tightest grids', () => {
  const grid = (address: string, slots: readonly bigint[], tokenId: string = TOKEN.id) =>
    documentsOf(slots).map(document => ({ grid: `base:${address}:${tokenId}`, ...document }));
  const { count } = gridWindow(TOKEN, 10n * WHOLE);

  it('come before those with a greater share of free amounts', () => {
    const documents = [...grid('0xa', above(10n * WHOLE, 3)), ...grid('0xb', above(10n * WHOLE, 40))];
    const known = { network: 'base', token_id: TOKEN.id, of: count };
    expect(tightestGrids(documents)).toMatchObject([
      { ...known, address: '0xb', free: count - 40 },
      { ...known, address: '0xa', free: count - 3 },
    ]);
  });

  it('leave out a token that is no longer known', () => {
    expect(tightestGrids(grid('0xa', above(10n * WHOLE, 3), 'former-token'))).toEqual([]);
  });

  it('are a hundred at most', () => {
    const documents = Array.from({ length: 101 }, (_, index) => grid(`0x${index}`, above(10n * WHOLE, 3))).flat();
    expect(tightestGrids(documents)).toHaveLength(100);
  });
});
