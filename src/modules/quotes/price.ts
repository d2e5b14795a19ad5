import { refuse } from '../../vocabulary/errors';
import { ceilDiv, wholeUnit } from '../../vocabulary/money';
import type { Token } from '../../vocabulary/tokens';
import type { FinalityTier } from '../../vocabulary/networks';

/** Whole dollars from which on a quote is large. */
const LARGE_QUOTE_DOLLARS = 10_000n;
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
  const match = RATE_PATTERN.exec(rate);
  const [, whole = '', fraction = ''] = match ?? [];
  const digits = BigInt(whole + fraction || '0');
  if (!match || digits === 0n) throw refuse('invalid_rate');
  return ceilDiv(
    amountMinorUnits * digits * wholeUnit(tokenDecimals),
    10n ** BigInt(fraction.length) * wholeUnit(currencyDecimals),
  );
}

/** The tier by a quote's worth in dollars; `dollarRate` is token units per dollar. Throws as `priceBaseUnits` does. */
export function finalityTier(token: Token, quotedBaseUnits: bigint, dollarRate: string): FinalityTier {
  const largeFrom = priceBaseUnits(LARGE_QUOTE_DOLLARS, 0, dollarRate, token.decimals);
  return quotedBaseUnits >= largeFrom ? 'large' : 'standard';
}
