import type { Mode } from '../../vocabulary/modes';
import { TOKENS, type TokenId } from '../../vocabulary/tokens';
import { quoteOrNull, requireCurrency } from './quotable';
import { oldestObservedAt } from './quote-rate';
import type { Rates } from './rate-book';

/** One listed currency as the API shows it; `rates` is empty while the sources are stale or too far apart. */
type ExchangeRate = {
  /** The currency's code. */
  readonly id: string;
  readonly currency: string;
  readonly currency_decimals: number;
  readonly rates: readonly {
    readonly token_id: TokenId;
    /** Token units per one major fiat unit. */
    readonly rate: string;
    /** The time of the oldest observation in the rate. */
    readonly observed_at: string;
    readonly sources: readonly string[];
  }[];
};

type Part = {
  /** That currency alone, or none; null for every currency. */
  readonly currency: string | null;
  /** The code that ends the part before; null for the first part. */
  readonly after: string | null;
  readonly limit: number;
};

/** A part of the listed currencies with their rates of this moment, by code. */
export function exchangeRates(
  rates: Rates,
  mode: Mode,
  { currency, after, limit }: Part,
): { readonly hasMore: boolean; readonly data: readonly ExchangeRate[] } {
  const codes = rates
    .listedCurrencies(mode)
    .filter(code => (currency === null || code === currency) && (after === null || code > after));
  const data = codes.slice(0, limit).map(code => exchangeRate(rates, mode, code));
  return { hasMore: codes.length > limit, data };
}

function exchangeRate(rates: Rates, mode: Mode, currency: string): ExchangeRate {
  return {
    id: currency,
    currency,
    currency_decimals: requireCurrency(currency),
    rates: Object.values(TOKENS).flatMap(token => {
      const quoted = quoteOrNull(rates, mode, token, currency);
      if (quoted === null) return [];
      const sources = quoted.observations.map(each => each.source);
      return [{ token_id: token.id, rate: quoted.rate, observed_at: oldestObservedAt(quoted), sources }];
    }),
  };
}
