import fc from 'fast-check';
import { isRefusal, type ErrorCode } from '../../src/vocabulary/errors';
import { ceilDiv, floorDiv, formatUnits, parseDecimal, proportion } from '../../src/vocabulary/money';

const decimals = fc.integer({ min: 0, max: 36 });
const amount = fc.bigInt({ min: 0n, max: 10n ** 60n });
const divisor = fc.bigInt({ min: 1n, max: 10n ** 30n });

function codeOf(action: () => unknown): ErrorCode | null {
  try {
    action();
  } catch (error) {
    if (isRefusal(error)) return error.code;
    throw error;
  }
  return null;
}

describe('parseDecimal', () => {
  test.each([
    ['12.5', 6, 12_500_000n],
    ['0.000001', 6, 1n],
    ['007', 0, 7n],
    ['1', 18, 10n ** 18n],
  ])('%s with %i decimals', (text, places, expected) => {
    expect(parseDecimal(text, places)).toBe(expected);
  });

  test.each(['', ' 1', '1 ', '+1', '-1', '1.', '.5', '1e3', '0x10', '1,000', '1_000', '1.2.3', 'NaN', '١', '1\n'])(
    'refuses the form %j',
    text => {
      expect(codeOf(() => parseDecimal(text, 6))).toBe('invalid_amount');
    },
  );

  test.each([
    ['1.0000001', 6],
    ['1.0000000', 6],
    ['1.0', 0],
  ])('refuses %s with %i decimals, never truncates', (text, places) => {
    expect(codeOf(() => parseDecimal(text, places))).toBe('excess_precision');
  });

  test.each([-1, 37, 1.5, Number.NaN])('refuses %p decimals', places => {
    expect(codeOf(() => parseDecimal('1', places))).toBe('invalid_decimals');
  });

  test('bounds the length of what it reads', () => {
    expect(codeOf(() => parseDecimal('9'.repeat(78), 0))).toBeNull();
    expect(codeOf(() => parseDecimal('9'.repeat(79), 0))).toBe('amount_too_large');
  });
});

describe('formatUnits', () => {
  test.each([
    [12_500_000n, 6, 0, '12.5'],
    [12_500_000n, 6, 2, '12.50'],
    [12_500_000n, 6, 6, '12.500000'],
    [25n * 10n ** 18n + 10n ** 12n, 18, 6, '25.000001'],
    [25n * 10n ** 18n + 1n, 18, 6, '25.000000000000000001'],
    [0n, 6, 0, '0'],
    [7n, 0, 0, '7'],
    [-1_050_000n, 6, 0, '-1.05'],
    [-1n, 6, 0, '-0.000001'],
    [9_007_199_254_740_993n, 0, 0, '9007199254740993'],
  ])('%s with %i decimals, at least %i shown', (units, places, shown, expected) => {
    expect(formatUnits(units, places, shown)).toBe(expected);
  });

  test('shows no decimals that are not asked for', () => {
    expect([formatUnits(12_000_000n, 6), formatUnits(7n, 0)]).toEqual(['12', '7']);
  });

  test('is undone by parseDecimal', () => {
    fc.assert(
      fc.property(amount, decimals, fc.integer({ min: 0, max: 36 }), (units, places, shown) => {
        const text = formatUnits(units, places, Math.min(shown, places));
        expect(parseDecimal(text, places)).toBe(units);
      }),
    );
  });

  test('shows no zero that it need not', () => {
    fc.assert(
      fc.property(amount, decimals, fc.integer({ min: 0, max: 36 }), (units, places, shown) => {
        const fraction = formatUnits(units, places, shown).split('.')[1] ?? '';
        expect(fraction.length).toBeGreaterThanOrEqual(shown);
        expect(fraction.length === shown || !fraction.endsWith('0')).toBe(true);
      }),
    );
  });
});

describe('division', () => {
  test('brackets the exact quotient', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }), divisor, (dividend, by) => {
        const floor = floorDiv(dividend, by);
        const ceil = ceilDiv(dividend, by);
        expect(floor * by <= dividend && dividend < (floor + 1n) * by).toBe(true);
        expect((ceil - 1n) * by < dividend && dividend <= ceil * by).toBe(true);
      }),
    );
  });

  test.each([0n, -1n])('refuses the divisor %s', by => {
    expect(codeOf(() => floorDiv(1n, by))).toBe('invalid_divisor');
    expect(codeOf(() => ceilDiv(1n, by))).toBe('invalid_divisor');
  });
});

test('a proportion is rounded down and never more than the whole', () => {
  expect(proportion(2_500n, 999_999n, 1_000_000n)).toBe(2_499n);
  fc.assert(
    fc.property(amount, divisor, divisor, (whole, one, other) => {
      const [received, due] = one < other ? [one, other] : [other, one];
      const part = proportion(whole, received, due);
      expect(part <= whole && part * due <= whole * received && (part + 1n) * due > whole * received).toBe(true);
    }),
  );
});
