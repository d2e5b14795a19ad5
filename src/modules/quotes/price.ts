import { refuse } from '../../vocabulary/errors';
import { ceilDiv, wholeUnit } from '../../vocabulary/money';
import type { Token } from '../../vocabulary/tokens';
import type { FinalityTier } from '../../vocabulary/networks';

/** Whole dollars from which on a quote is large. */
const LARGE_QUOTE_DOLLARS = 10_000n;
const CENTS = 100n;
const RATE_PATTERN = /^(\d{1,30})(?:\.(\d{1,80}))?$/;

/**
 * The price of a fiat amount in token base units, rounded up, computed exactly in integers. `amountMinorUnits` counts
 * the currency's minor units, `rate` is token units per one major fiat unit as a plain decimal string. Throws Refusal
 * invalid_amount below zero, invalid_rate when the rate is not a positive plain decimal, invalid_decimals.
 */
export function priceBaseUnits(
  amountMinorUnits: bigint,
  currencyDecimals: number,
  rate: string,
  tokenDecimals: number,
): bigint {
  if (amountMinorUnits < 0n) throw refuse('invalid_amount');
  const { digits, scale } = parsedRate(rate);
  return ceilDiv(amountMinorUnits * digits * wholeUnit(tokenDecimals), scale * wholeUnit(currencyDecimals));
}

/** A rate as `digits / scale`. Throws Refusal invalid_rate when the rate is not a positive plain decimal. */
function parsedRate(rate: string): { readonly digits: bigint; readonly scale: bigint } {
  const match = RATE_PATTERN.exec(rate);
  const [, whole = '', fraction = ''] = match ?? [];
  const digits = BigInt(whole + fraction || '0');
  if (!match || digits === 0n) throw refuse('invalid_rate');
  return { digits, scale: 10n ** BigInt(fraction.length) };
}

/**
 * The worth of a token amount in dollar cents, rounded up, computed exactly in integers. `dollarRate` is token units
 * per dollar. Throws Refusal invalid_rate when the rate is not a positive plain decimal.
 */
export function dollarMinorUnits(baseUnits: bigint, dollarRate: string, tokenDecimals: number): bigint {
  const { digits, scale } = parsedRate(dollarRate);
  return ceilDiv(baseUnits * CENTS * scale, digits * wholeUnit(tokenDecimals));
}

/** The tier by a quote's worth in dollars; `dollarRate` is token units per dollar. Throws as `priceBaseUnits` does. */
export function finalityTier(token: Token, quotedBaseUnits: bigint, dollarRate: string): FinalityTier {
  const largeFrom = priceBaseUnits(LARGE_QUOTE_DOLLARS, 0, dollarRate, token.decimals);
  return quotedBaseUnits >= largeFrom ? 'large' : 'standard';
}
