import type { Mode } from '../../vocabulary/modes';
import { TOKENS, type TokenId } from '../../vocabulary/tokens';
import { quoteOrNull, requireCurrency } from './quotable';
import { oldestObservedAt } from './quote-rate';
import type { Rates } from './rate-book';

/** One listed currency as the API shows it; `rates` is empty while the sources are stale or too far apart. */
type ExchangeRate = {
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

/** The listed currencies with their rates of this moment, by code; with `currency`, that currency alone or none. */
export function exchangeRates(rates: Rates, mode: Mode, currency: string | null): readonly ExchangeRate[] {
  return rates
    .listedCurrencies(mode)
    .filter(code => currency === null || code === currency)
    .map(code => exchangeRate(rates, mode, code));
}

function exchangeRate(rates: Rates, mode: Mode, currency: string): ExchangeRate {
  return {
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
