import { Decimal } from 'decimal.js';
import { isoTime, type Clock } from '../../kernel/clock';
import { ASSETS } from '../../vocabulary/tokens';
import type { RateObservation, RateSource } from '../../kernel/ports/rate-source';

/** Token units per one major fiat unit: invented round numbers of the right size. */
const FIXED_RATES: Readonly<Record<string, string>> = {
  AED: '0.2723', AUD: '0.65', BHD: '2.65', BRL: '0.18', CAD: '0.72', CHF: '1.25', CLP: '0.00105', CNY: '0.14',
  CZK: '0.047', EUR: '1.08', GBP: '1.27', HKD: '0.128', INR: '0.0115', JPY: '0.0066', KRW: '0.00072', KWD: '3.25',
  MXN: '0.054', NOK: '0.094', PLN: '0.27', SEK: '0.1', SGD: '0.77', TRY: '0.024', USD: '1',
}; // prettier-ignore
const LEGS = {
  'sandbox-a': FIXED_RATES,
  // Six basis points more, so that a median differs from either leg.
  'sandbox-b': Object.fromEntries(
    Object.entries(FIXED_RATES).map(([code, rate]) => [code, new Decimal(rate).times('1.0006').toFixed()]),
  ),
} as const;

/**
 * Fixed rates for test mode where no real source is configured: two legs that count as two families. Live payments
 * never use them.
 */
export class FixedSource implements RateSource {
  readonly family: string;
  /** A fixed rate does not age. */
  readonly freshForMs = Number.MAX_SAFE_INTEGER;
  readonly currencies: readonly string[] = Object.keys(FIXED_RATES);

  constructor(
    readonly name: keyof typeof LEGS,
    private readonly clock: Clock,
  ) {
    this.family = name;
  }

  async observe(): Promise<readonly RateObservation[]> {
    const observedAt = isoTime(this.clock.now());
    return ASSETS.flatMap(asset =>
      Object.entries(LEGS[this.name]).map(([currency, rate]) => {
        return { source: this.name, family: this.family, asset, currency, rate, observed_at: observedAt };
      }),
    );
  }
}
