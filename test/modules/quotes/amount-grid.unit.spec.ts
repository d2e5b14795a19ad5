import fc from 'fast-check';
import { TOKENS, type Token } from '../../../src/vocabulary/tokens';
import {
  amountOfSlot,
  gridWindow,
  lookedAtPart,
  LOOKED_AT_SLOTS,
  seededRanks,
  seededSlots,
  slotOfAmount,
} from '../../../src/modules/quotes/amount-grid';

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

describe('the slots of a command', () => {
  const window = gridWindow(usdtTron, 10_000_000n);
  const inWindow = (slot: bigint): boolean => slot >= window.first && slot < window.first + BigInt(window.count);

  test('are 16 different ones of the window, in one order for one seed', () => {
    const slots = seededSlots(window, 'command-1');
    expect(new Set(slots).size).toBe(slots.length);
    expect([slots.length, slots.every(inWindow)]).toStrictEqual([16, true]);
    expect(seededSlots(window, 'command-1')).toStrictEqual(slots);
    expect(seededSlots(window, 'command-2')).not.toStrictEqual(slots);
  });

  test('begin anywhere in the window', () => {
    const tenths = new Set<number>();
    for (let seed = 0; seed < 200; seed++) {
      const [slot] = seededSlots(window, `command-${seed}`);
      tenths.add(Math.floor(Number((slot as bigint) - window.first) / 100));
    }
    expect(tenths.size).toBe(10);
  });

  test.each([0, 1, 3, 16, 17, 999])(
    'are at most 16 of %i free ones, each once, and all where there are fewer',
    count => {
      const ranks = seededRanks(count, 'command-1');
      expect(ranks).toHaveLength(Math.min(count, 16));
      expect(new Set(ranks).size).toBe(ranks.length);
      expect(ranks.every(rank => rank >= 0 && rank < count)).toBe(true);
      expect(seededRanks(count, 'command-1')).toStrictEqual(ranks);
    },
  );

  test.each([0, 1, 4])('are chosen among the free ones with equal chances, as the try of number %i', number => {
    const counts = [0, 0, 0, 0, 0];
    for (let seed = 0; seed < 1_000; seed++) {
      const rank = seededRanks(counts.length, `command-${seed}`)[number] as number;
      counts[rank] = (counts[rank] ?? 0) + 1;
    }
    for (const count of counts) expect(count).toBeGreaterThan(150);
  });

  test('are looked at in the whole window, or in a part of a wider one', () => {
    expect(lookedAtPart(window, 'command-1')).toStrictEqual(window);
    const wide = gridWindow(usdtBnb, 10n ** 24n);
    const part = lookedAtPart(wide, 'command-1');
    expect(part.count).toBe(LOOKED_AT_SLOTS);
    expect(part.first).toBeGreaterThanOrEqual(wide.first);
    expect(part.first + BigInt(part.count)).toBeLessThanOrEqual(wide.first + BigInt(wide.count));
    expect(lookedAtPart(wide, 'command-2').first).not.toBe(part.first);
  });
});
