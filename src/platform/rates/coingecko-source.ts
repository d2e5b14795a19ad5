import { isLosslessNumber, parse } from 'lossless-json';
import { z } from 'zod';
import { isoTime, MINUTE_MS, SECOND_MS } from '../../kernel/clock';
import { refuse } from '../../kernel/errors';
import type { Asset, RateObservation, RateSource } from '../../kernel/ports/rate-source';
import { invertPrice } from './exact-rate';
import { fetchText } from './fetch-text';
import { parseAnswer } from './parse-answer';
import { WIDELY_QUOTED_CURRENCIES } from './widely-quoted-currencies';

export type CoinGeckoOptions = {
  readonly baseUrl?: string;
  /** Sent as `x-cg-demo-api-key`; without one the service answers fewer requests a minute. */
  readonly apiKey?: string;
  readonly currencies?: readonly string[];
  readonly timeoutMs?: number;
};

const COINS: Readonly<Record<Asset, string>> = { USDT: 'tether', USDC: 'usd-coin' };
const NUMBER_TEXT = z
  .custom<{ readonly value: string }>(isLosslessNumber, 'not a number')
  .transform(each => each.value);
/** `{"tether":{"eur":0.92,"last_updated_at":1790000000}}`: fiat per token as JSON numbers, read by their digits. */
const ANSWER = z.record(z.string(), z.record(z.string(), NUMBER_TEXT));
const SECONDS_PATTERN = /^\d{9,11}$/;

/** CoinGecko averages many exchanges, so it counts as one family of its own. Its answers are up to 60 seconds old. */
export class CoinGeckoSource implements RateSource {
  readonly name = 'coingecko';
  readonly family = 'coingecko';
  readonly freshForMs = 3 * MINUTE_MS;
  readonly currencies: readonly string[];

  constructor(private readonly options: CoinGeckoOptions = {}) {
    this.currencies = options.currencies ?? WIDELY_QUOTED_CURRENCIES;
  }

  async observe(signal: AbortSignal): Promise<readonly RateObservation[]> {
    const { apiKey, timeoutMs } = this.options;
    const headers = apiKey === undefined ? undefined : { 'x-cg-demo-api-key': apiKey };
    const text = await fetchText({ source: this.name, url: this.url(), headers, signal, timeoutMs });
    const answer = parseAnswer(this.name, text, ANSWER, parse);
    return (Object.keys(COINS) as Asset[]).flatMap(asset => this.observations(asset, answer[COINS[asset]]));
  }

  private url(): string {
    const { baseUrl = 'https://api.coingecko.com' } = this.options;
    const currencies = this.currencies.join(',').toLowerCase();
    const coins = Object.values(COINS).join(',');
    return `${baseUrl}/api/v3/simple/price?ids=${coins}&vs_currencies=${currencies}&include_last_updated_at=true&precision=full`;
  }

  private observations(asset: Asset, prices: Readonly<Record<string, string>> | undefined): RateObservation[] {
    const field = COINS[asset];
    if (!prices) throw this.invalid(`${field} is missing.`);
    const updatedAt = prices['last_updated_at'] ?? '';
    if (!SECONDS_PATTERN.test(updatedAt)) throw this.invalid(`${field}.last_updated_at is not a time in seconds.`);
    const observedAt = isoTime(Number(updatedAt) * SECOND_MS);
    return this.currencies.flatMap(currency => {
      const price = prices[currency.toLowerCase()];
      if (price === undefined) return [];
      const rate = invertPrice(price, { source: this.name, field: `${field}.${currency.toLowerCase()}` });
      return [{ source: this.name, family: this.family, asset, currency, rate, observed_at: observedAt }];
    });
  }

  private invalid(message: string): Error {
    return refuse('provider_response_invalid', { message: `${this.name}: ${message}` });
  }
}
