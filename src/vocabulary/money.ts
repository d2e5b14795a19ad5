import { withoutEnd } from './characters';
import { refuse } from './errors';

/** The specification's own bound: ERC-20 allows more, but no token in use has more. */
const MAX_DECIMALS = 36;
/** 2^256 has 78 digits: nothing that a chain or an API may hold is longer. */
const MAX_DIGITS = 78;

const DECIMAL_PATTERN = /^(\d+)(?:\.(\d+))?$/;

/** Rounds towards minus infinity. Throws Refusal invalid_divisor unless the divisor is positive. */
export function floorDiv(dividend: bigint, divisor: bigint): bigint {
  if (divisor <= 0n) throw refuse('invalid_divisor');
  const quotient = dividend / divisor;
  return dividend % divisor < 0n ? quotient - 1n : quotient;
}

/** Rounds towards plus infinity. Throws Refusal invalid_divisor unless the divisor is positive. */
export function ceilDiv(dividend: bigint, divisor: bigint): bigint {
  return -floorDiv(-dividend, divisor);
}

/** The base units of one whole unit. Throws Refusal invalid_decimals outside 0 to 36. */
export function wholeUnit(decimals: number): bigint {
  if (!Number.isInteger(decimals) || decimals < 0 || decimals > MAX_DECIMALS) throw refuse('invalid_decimals');
  return 10n ** BigInt(decimals);
}

/**
 * `('12.5', 6)` → 12_500_000n base units. Takes digits with at most one point between them: no sign, exponent or
 * separator. Throws Refusal invalid_amount for another form, excess_precision for more written decimals than `decimals`
 * (never truncated), amount_too_large beyond 78 digits, invalid_decimals.
 */
export function parseDecimal(text: string, decimals: number): bigint {
  const unit = wholeUnit(decimals);
  const match = DECIMAL_PATTERN.exec(text);
  if (!match) throw refuse('invalid_amount');
  const [, whole = '', fraction = ''] = match;
  if (fraction.length > decimals) throw refuse('excess_precision');
  if (whole.length > MAX_DIGITS) throw refuse('amount_too_large');
  return BigInt(whole) * unit + BigInt(fraction.padEnd(decimals, '0'));
}

/**
 * `(12_500_000n, 6)` → '12.5', `(12_500_000n, 6, 2)` → '12.50': exact, without trailing zeros beyond
 * `minFractionDigits`. Throws Refusal invalid_decimals.
 */
export function formatUnits(baseUnits: bigint, decimals: number, minFractionDigits = 0): string {
  const unit = wholeUnit(decimals);
  const magnitude = baseUnits < 0n ? -baseUnits : baseUnits;
  const digits = (magnitude % unit).toString().padStart(decimals, '0');
  const fraction = withoutEnd(digits, '0').padEnd(minFractionDigits, '0');
  const sign = baseUnits < 0n ? '-' : '';
  return `${sign}${magnitude / unit}${fraction && `.${fraction}`}`;
}

/**
 * The part of `amount` that `received` of `due` covers, rounded down. Throws Refusal invalid_divisor unless `due` is
 * positive.
 */
export function proportion(amount: bigint, received: bigint, due: bigint): bigint {
  return floorDiv(amount * received, due);
}
