import { refuse } from '../../kernel/errors';
import { ceilDiv, wholeUnit } from '../../kernel/money';

const RATE_PATTERN = /^(\d{1,30})(?:\.(\d{1,80}))?$/;

/**
 * What a fiat amount costs in token base units, rounded up, computed exactly in integers.
 * `amountMinorUnits` counts the currency's minor units, `rate` is token units per one major fiat unit as a plain decimal string.
 * Throws Refusal invalid_amount below zero, invalid_rate when the rate is not a positive plain decimal, invalid_decimals.
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
