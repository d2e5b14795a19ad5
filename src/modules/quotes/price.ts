import { refuse } from '../../kernel/errors';
import { ceilDiv, wholeUnit } from '../../kernel/money';
import type { FinalityTier, Token } from '../../kernel/tokens';

/** Whole dollars from which on a quote is large. */
const LARGE_QUOTE_DOLLARS = 10_000n;
const RATE_PATTERN = /^(\d{1,30})(?:\.(\d{1,80}))?$/;

/**
 * What a fiat amount costs in token base units, rounded up, computed exactly in integers. `amountMinorUnits` counts the
 * currency's minor units, `rate` is token units per one major fiat unit as a plain decimal string. Throws Refusal
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

/** By what a quote is worth in dollars; `dollarRate` is token units per dollar. Throws as `priceBaseUnits` does. */
export function finalityTier(token: Token, quotedBaseUnits: bigint, dollarRate: string): FinalityTier {
  const largeFrom = priceBaseUnits(LARGE_QUOTE_DOLLARS, 0, dollarRate, token.decimals);
  return quotedBaseUnits >= largeFrom ? 'large' : 'standard';
}
