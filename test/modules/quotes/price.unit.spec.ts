import fc from 'fast-check';
import { Decimal } from 'decimal.js';
import { priceBaseUnits } from '../../../src/modules/quotes/price';

const Exact = Decimal.clone({ precision: 200, rounding: Decimal.ROUND_CEIL });

describe('priceBaseUnits', () => {
  test.each([
    [2500n, 2, '1', 6, 25_000_000n],
    [2500n, 2, '1.08', 6, 27_000_000n],
    [1n, 0, '0.0066', 6, 6_600n],
    [1n, 3, '3.25', 18, 3_250_000_000_000_000n],
    [1n, 2, '0.00000000000000000001', 6, 1n],
    [3n, 2, '1.0000001', 6, 30_001n],
    [0n, 2, '1.08', 6, 0n],
  ])('%s minor units of %i decimals at %s with %i token decimals', (amount, places, rate, tokenPlaces, expected) => {
    expect(priceBaseUnits(amount, places, rate, tokenPlaces)).toBe(expected);
  });

  test.each(['0', '0.000', '-1', '', 'NaN', 'Infinity', '1e3', '1.', '.5', ' 1', `1.${'0'.repeat(81)}`])(
    'refuses the rate %j',
    rate => {
      expect(() => priceBaseUnits(1n, 2, rate, 6)).toThrow(expect.objectContaining({ code: 'invalid_rate' }));
    },
  );

  test('refuses a negative amount', () => {
    expect(() => priceBaseUnits(-1n, 2, '1', 6)).toThrow(expect.objectContaining({ code: 'invalid_amount' }));
  });

  test('is the exact product rounded up, and grows with the amount', () => {
    const rate = fc
      .tuple(fc.bigInt({ min: 0n, max: 10n ** 9n }), fc.bigInt({ min: 1n, max: 10n ** 50n - 1n }))
      .map(([whole, fraction]) => `${whole}.${fraction.toString().padStart(50, '0')}`);
    const amount = fc.bigInt({ min: 0n, max: 10n ** 24n });
    fc.assert(
      fc.property(amount, fc.constantFrom(0, 2, 3, 4), rate, fc.constantFrom(6, 18), (minor, places, text, token) => {
        const exact = new Exact(minor.toString()).times(text).times(`1e${token - places}`);
        const price = priceBaseUnits(minor, places, text, token);
        expect(price.toString()).toBe(exact.ceil().toFixed());
        expect(priceBaseUnits(minor + 1n, places, text, token)).toBeGreaterThanOrEqual(price);
      }),
    );
  });
});
