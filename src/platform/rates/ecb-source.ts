import { parse } from 'lossless-json';
import { z } from 'zod';
import { DAY_MS, HOUR_MS } from '../../kernel/clock';
import type { RateObservation, RateSource } from '../../kernel/ports/rate-source';
import { fetchText } from '../outbound/fetch-text';
import { checkShape, parseAnswer } from '../outbound/parse-answer';
import { invertPrice } from './exact-rate';
import { numberText } from './number-text';
import { salvage } from './salvage';

type EcbOptions = {
  readonly baseUrl?: string;
  readonly currencies?: readonly string[];
  readonly timeoutMs?: number;
};

/** The currencies for which the European Central Bank sets a reference rate, apart from the dollar itself. */
const DEFAULT_CURRENCIES: readonly string[] = [
  'AUD', 'BRL', 'CAD', 'CHF', 'CNY', 'CZK', 'DKK', 'EUR', 'GBP', 'HKD', 'HUF', 'IDR', 'ILS', 'INR', 'ISK', 'JPY', 'KRW',
  'MXN', 'MYR', 'NOK', 'NZD', 'PHP', 'PLN', 'RON', 'SEK', 'SGD', 'THB', 'TRY', 'ZAR',
]; // prettier-ignore

/** The rates of a day are published on that day at 16:00 Central European Time. */
const PUBLISHED_AT = 'T15:00:00.000Z';

/** `{"amount":1.0,"base":"USD","date":"2026-11-20","rates":{"EUR":0.92}}`: currency per dollar, as JSON numbers. */
const ANSWER = z.object({
  amount: numberText.refine(text => /^1(?:\.0+)?$/.test(text), 'not 1'),
  base: z.literal('USD'),
  date: z.iso.date('not a date'),
  rates: z.record(z.string(), z.unknown()),
});

/**
 * The European Central Bank's reference rates as Frankfurter republishes them. The rates are of dollars only, and of no
 * token. So each rate is crossed with the token's dollar price from another source. The source needs no key.
 */
export class EcbSource implements RateSource {
  readonly name = 'ecb';
  readonly family = 'central_bank';
  /** Covers a weekend and one public holiday. */
  readonly freshForMs = 4 * DAY_MS;
  /** A central bank's rates change once a day. */
  readonly everyMs = HOUR_MS;
  readonly currencies: readonly string[];

  constructor(private readonly options: EcbOptions = {}) {
    this.currencies = options.currencies ?? DEFAULT_CURRENCIES;
  }

  async observe(signal: AbortSignal): Promise<readonly RateObservation[]> {
    const { baseUrl = 'https://api.frankfurter.dev', timeoutMs } = this.options;
    const url = `${baseUrl}/v1/latest?base=USD&symbols=${this.currencies.join(',')}`;
    const text = await fetchText({ source: this.name, url, signal, timeoutMs });
    const { date, rates } = parseAnswer(this.name, text, ANSWER, parse);
    return salvage(this.currencies, currency => {
      if (rates[currency] === undefined) return null;
      const field = `rates.${currency}`;
      const price = checkShape(this.name, rates[currency], numberText, field);
      const rate = invertPrice(price, { source: this.name, field });
      const observed_at = `${date}${PUBLISHED_AT}`;
      return { source: this.name, family: this.family, asset: 'USD', currency, rate, observed_at };
    });
  }
}
