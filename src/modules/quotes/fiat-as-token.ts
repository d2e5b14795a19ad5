import { floorDiv, wholeUnit } from '../../vocabulary/money';

/**
 * Decimals to which the figure is rounded. No currency has more, so each fiat amount is met exactly; every token has
 * more.
 */
const FIAT_DECIMALS = 4;

/**
 * The fiat amount of a quote with its figure read as token units: 25.00 EUR become 25.00 USDC. The figure follows from
 * the price, which was rounded up from amount times rate by less than one base unit.
 */
export function fiatAsBaseUnits(priceBaseUnits: bigint, rate: string, tokenDecimals: number): bigint {
  const [whole = '', fraction = ''] = rate.split('.');
  const exact = floorDiv(priceBaseUnits * 10n ** BigInt(fraction.length), BigInt(whole + fraction));
  const grain = wholeUnit(tokenDecimals) / 10n ** BigInt(FIAT_DECIMALS);
  return floorDiv(exact + grain / 2n, grain) * grain;
}
