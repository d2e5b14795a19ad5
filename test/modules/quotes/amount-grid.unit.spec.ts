import fc from 'fast-check';
import { TOKENS, type Token } from '../../../src/vocabulary/tokens';
import { amountOfSlot, gridWindow, slotOfAmount, slotTries } from '../../../src/modules/quotes/amount-grid';

const token = fc.constantFrom(...Object.values(TOKENS));
/** From the smallest price to a billion tokens. */
const tokenAndPrice = token.chain(each =>
  fc.tuple(fc.constant(each), fc.bigInt({ min: 1n, max: 10n ** BigInt(each.decimals + 9) })),
);

function boundOf(each: Token, price: bigint): bigint {
  const whole = 10n ** BigInt(each.decimals);
  const share = (price * 5n) / 10_000n;
  const least = whole / 100n;
  return share < least ? least : share > whole ? whole : share;
}

const usdtTron = TOKENS['usdt-tron'];
const usdtBnb = TOKENS['usdt-bnb'];

describe('gridWindow', () => {
  test.each([
    [usdtTron, 10_000_000n, { first: 1_000_001n, count: 999 }],
    [usdtTron, 10_000_007n, { first: 1_000_002n, count: 999 }],
    [TOKENS['usdc-base'], 20_000n, { first: 2_001n, count: 999 }],
    [usdtBnb, 10n ** 19n, { first: 10_000_001n, count: 9_999 }],
    // 0.05% of 100 is 0.05; beyond 2,000 the window stays at one token.
    [usdtTron, 100_000_000n, { first: 10_000_001n, count: 4_999 }],
    [usdtTron, 1_000_000_000_000n, { first: 100_000_000_001n, count: 99_999 }],
    [usdtBnb, 10n ** 24n, { first: 10n ** 12n + 1n, count: 999_999 }],
  ])('of $id at %s', (each, price, expected) => {
    expect(gridWindow(each, price)).toEqual(expected);
  });

  test('the largest uplift of the smallest window is 9,993 units, below 0.01', () => {
    const uplifts = Array.from({ length: 10 }, (_, rest) => {
      const price = 10_000_000n + BigInt(rest);
      const { first, count } = gridWindow(usdtTron, price);
      return amountOfSlot(usdtTron, first + BigInt(count - 1)) - price;
    });
    expect(uplifts.reduce((most, each) => (each > most ? each : most))).toBe(9_993n);
  });

  test('every amount covers the price even when it arrives short by the tolerance, and the uplift stays below its bound', () => {
    fc.assert(
      fc.property(tokenAndPrice, ([each, price]) => {
        const { first, count } = gridWindow(each, price);
        const lowest = amountOfSlot(each, first);
        const highest = amountOfSlot(each, first + BigInt(count - 1));
        expect(lowest - each.attributionToleranceBaseUnits).toBeGreaterThanOrEqual(price);
        expect(highest - price).toBeLessThan(boundOf(each, price));
        expect(count).toBeGreaterThanOrEqual(999);
      }),
      { numRuns: 1_000 },
    );
  });

  test.each(Object.values(TOKENS))('neighbours of $id are at least twice the tolerance apart', each => {
    expect(each.stepBaseUnits).toBeGreaterThan(2n * each.attributionToleranceBaseUnits);
  });

  test.each([0n, -1n])('refuses the price %s', price => {
    expect(() => gridWindow(usdtTron, price)).toThrow(expect.objectContaining({ code: 'invalid_amount' }));
  });
});

describe('slotOfAmount', () => {
  test('finds the slot of every amount within the tolerance, and no other', () => {
    const slot = fc.bigInt({ min: 1n, max: 10n ** 15n });
    fc.assert(
      fc.property(token, slot, fc.double({ min: -1, max: 1, noNaN: true }), (each, index, share) => {
        const tolerance = each.attributionToleranceBaseUnits;
        const offset = (tolerance * BigInt(Math.round(share * 1_000))) / 1_000n;
        expect(slotOfAmount(each, amountOfSlot(each, index) + offset)).toBe(index);
      }),
    );
  });

  test.each([
    [-5n, null],
    [-4n, 100n],
    [0n, 100n],
    [4n, 100n],
    [5n, null],
    [6n, 101n],
  ])('an amount %s units off slot 100', (offset, expected) => {
    expect(slotOfAmount(usdtTron, 1_000n + offset)).toBe(expected);
  });

  test.each([0n, 4n, -10n])('%s units are no slot', received => {
    expect(slotOfAmount(usdtTron, received)).toBeNull();
  });
});

describe('slotTries', () => {
  test.each([usdtTron, usdtBnb])('goes through the whole smallest window of $id, each slot once', each => {
    const price = 10n ** BigInt(each.decimals);
    const { first, count } = gridWindow(each, price);
    const tries = [...slotTries(each, price, 'command-1')];
    expect(tries).toHaveLength(count);
    expect(new Set(tries).size).toBe(count);
    expect(tries.every(slot => slot >= first && slot < first + BigInt(count))).toBe(true);
  });

  test('gives up after 10,000 different slots of a wide window', () => {
    const price = 10n ** 24n;
    const { first, count } = gridWindow(usdtBnb, price);
    const tries = [...slotTries(usdtBnb, price, 'command-1')];
    expect(new Set(tries).size).toBe(10_000);
    expect(tries).toHaveLength(10_000);
    expect(tries.every(slot => slot >= first && slot < first + BigInt(count))).toBe(true);
  });

  test('the same seed gives the same order, another seed another one', () => {
    const firstTries = (seed: string): bigint[] => [...slotTries(usdtTron, 10_000_000n, seed)].slice(0, 16);
    expect(firstTries('a')).toEqual(firstTries('a'));
    expect(firstTries('a')).not.toEqual(firstTries('b'));
  });

  test('first tries spread over the window', () => {
    const { first } = gridWindow(usdtTron, 10_000_000n);
    const tenths = new Set<number>();
    for (let seed = 0; seed < 200; seed++) {
      const [slot] = slotTries(usdtTron, 10_000_000n, `command-${seed}`);
      tenths.add(Math.floor(Number((slot as bigint) - first) / 100));
    }
    expect(tenths.size).toBe(10);
  });

  test('reservations fill a price point and then none is left', () => {
    const taken = new Set<bigint>();
    const reserve = (seed: string): bigint | null => {
      for (const slot of slotTries(usdtTron, 10_000_000n, seed)) {
        if (taken.has(slot)) continue;
        taken.add(slot);
        return slot;
      }
      return null;
    };
    const reserved = Array.from({ length: 1_000 }, (_, index) => reserve(`command-${index}`));
    expect(reserved.filter(slot => slot !== null)).toHaveLength(999);
    expect(reserved.at(-1)).toBeNull();
  });
});
