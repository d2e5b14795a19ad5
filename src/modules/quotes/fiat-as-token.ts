import { floorDiv, wholeUnit } from '../../kernel/money';

/** More than any currency's exponent; fewer than any token's. */
const FIAT_DECIMALS = 4;

/**
 * The fiat amount of a quote with its figure taken for token units: 25.00 EUR are 25.00 USDC then. Read off the price,
 * which was rounded up from the exact product of amount and rate by less than one base unit.
 */
export function fiatAsBaseUnits(priceBaseUnits: bigint, rate: string, tokenDecimals: number): bigint {
  const [whole = '', fraction = ''] = rate.split('.');
  const exact = floorDiv(priceBaseUnits * 10n ** BigInt(fraction.length), BigInt(whole + fraction));
  const grain = wholeUnit(tokenDecimals) / 10n ** BigInt(FIAT_DECIMALS);
  return floorDiv(exact + grain / 2n, grain) * grain;
}
