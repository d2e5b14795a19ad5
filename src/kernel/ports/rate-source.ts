import type { Asset } from '../../vocabulary/tokens';

/**
 * `rate` is units of the asset per one major fiat unit, a decimal string; a family counts once however many sources it
 * has. A central bank prices no token: its asset is USD, so its rate says how many dollars one unit of the currency
 * costs.
 */
export type RateObservation = {
  readonly source: string;
  readonly family: string;
  readonly asset: Asset | 'USD';
  readonly currency: string;
  readonly rate: string;
  readonly observed_at: string;
};

export interface RateSource {
  readonly name: string;
  readonly family: string;
  /** The currencies that the source quotes, even while it does not answer. */
  readonly currencies: readonly string[];
  /** The time for which an observation of this source may serve a quote. */
  readonly freshForMs: number;
  /** The observations of one answer serve for so long: the source is asked no sooner. Absent: it is asked each time. */
  readonly everyMs?: number;
  /**
   * Asks the source for all its rates; rates in no usable shape are left out. Throws Refusal provider_unavailable or
   * provider_response_invalid.
   */
  observe(signal: AbortSignal): Promise<readonly RateObservation[]>;
}
