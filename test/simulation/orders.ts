import type { Order } from './clients';
import { isOn } from './knobs';
import type { Prng } from './prng';

/** 20,000.00 EUR: a large quote on every network. */
const LARGE: Order = { amountMinorUnits: 2_000_000n, currency: 'EUR' };
const USUAL: Order = { amountMinorUnits: 2500n, currency: 'EUR' };
/** Ten thousand dollars, to the cent; about as much in euros; and as many euros. */
const BOUNDS: readonly Order[] = [
  { amountMinorUnits: 1_000_000n, currency: 'USD' },
  { amountMinorUnits: 925_926n, currency: 'EUR' },
  { amountMinorUnits: 1_000_000n, currency: 'EUR' },
];
/** Currencies without a minor unit, and with a thousandth. */
const OTHERS: readonly Order[] = [
  { amountMinorUnits: 4_001n, currency: 'JPY' },
  { amountMinorUnits: 8_333n, currency: 'KWD' },
];

/**
 * Nearly all at one price, so that they contend for the same amounts; a few are large enough to ask for a second
 * receipt.
 */
export function orderOf(prng: Prng): Order {
  if (prng.chance(12)) return LARGE;
  if (!isOn('prices')) return USUAL;
  if (prng.chance(10)) {
    const { amountMinorUnits, currency } = prng.pick(BOUNDS);
    return { amountMinorUnits: amountMinorUnits + BigInt(prng.below(5) - 2), currency };
  }
  return prng.chance(8) ? prng.pick(OTHERS) : USUAL;
}
