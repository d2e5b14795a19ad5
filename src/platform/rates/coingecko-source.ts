import { parse } from 'lossless-json';
import { z } from 'zod';
import { isoTime, MINUTE_MS, SECOND_MS } from '../../kernel/clock';
import type { RateObservation, RateSource } from '../../kernel/ports/rate-source';
import type { Asset } from '../../vocabulary/tokens';
import { fetchText } from '../outbound/fetch-text';
import { checkShape, parseAnswer } from '../outbound/parse-answer';
import { invertPrice } from './exact-rate';
import { numberText } from './number-text';
import { salvage } from './salvage';
import { WIDELY_QUOTED_CURRENCIES } from './widely-quoted-currencies';

type CoinGeckoOptions = {
  readonly baseUrl?: string;
  /** The key is sent as `x-cg-demo-api-key`; without one the service answers fewer requests a minute. */
  readonly apiKey?: string;
  readonly currencies?: readonly string[];
  readonly timeoutMs?: number;
};

const COINS: Readonly<Record<Asset, string>> = { USDT: 'tether', USDC: 'usd-coin' };
/** `{"tether":{"eur":0.92,"last_updated_at":1790000000}}`: fiat per token as JSON numbers, read by their digits. */
const ANSWER = z.record(z.string(), z.unknown());
const PRICES = z.record(z.string(), z.unknown());
const UPDATED_AT = numberText.refine(text => /^\d{9,11}$/.test(text), 'not a time in seconds');

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
    const ofBoth = salvage(Object.keys(COINS) as Asset[], asset => this.observations(asset, answer[COINS[asset]]));
    return ofBoth.flat();
  }

  private url(): string {
    const { baseUrl = 'https://api.coingecko.com' } = this.options;
    const currencies = this.currencies.join(',').toLowerCase();
    const coins = Object.values(COINS).join(',');
    return `${baseUrl}/api/v3/simple/price?ids=${coins}&vs_currencies=${currencies}&include_last_updated_at=true&precision=full`;
  }

  private observations(asset: Asset, answered: unknown): readonly RateObservation[] {
    const coin = COINS[asset];
    const prices = checkShape(this.name, answered, PRICES, coin);
    const updatedAt = checkShape(this.name, prices['last_updated_at'], UPDATED_AT, `${coin}.last_updated_at`);
    const observedAt = isoTime(Number(updatedAt) * SECOND_MS);
    return salvage(this.currencies, currency => {
      const field = `${coin}.${currency.toLowerCase()}`;
      const price = prices[currency.toLowerCase()];
      if (price === undefined) return null;
      const rate = invertPrice(checkShape(this.name, price, numberText, field), { source: this.name, field });
      return { source: this.name, family: this.family, asset, currency, rate, observed_at: observedAt };
    });
  }
}
