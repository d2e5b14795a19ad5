import { z } from 'zod';
import { isoTime, MINUTE_MS, type Clock } from '../../kernel/clock';
import { refuse } from '../../vocabulary/errors';
import type { RateObservation, RateSource } from '../../kernel/ports/rate-source';
import type { Asset } from '../../vocabulary/tokens';
import { fetchText } from '../outbound/fetch-text';
import { parseAnswer } from '../outbound/parse-answer';
import { invertPrice } from './exact-rate';
import { salvage } from './salvage';
import { WIDELY_QUOTED_CURRENCIES } from './widely-quoted-currencies';

type CoinbaseOptions = {
  readonly asset: Asset;
  readonly clock: Clock;
  readonly baseUrl?: string;
  readonly currencies?: readonly string[];
  readonly timeoutMs?: number;
};

/** `{"data":{"currency":"USDT","rates":{"EUR":"0.92"}}}`: fiat per token, as strings. */
const ANSWER = z.object({ data: z.object({ currency: z.string(), rates: z.record(z.string(), z.unknown()) }) });

/**
 * Coinbase's exchange rates of one token, so that the loss of one token's rates does not take the other's along. No key
 * is needed.
 */
export class CoinbaseSource implements RateSource {
  readonly name: string;
  readonly family = 'coinbase';
  readonly freshForMs = MINUTE_MS;
  readonly currencies: readonly string[];
  private readonly url: string;

  constructor(private readonly options: CoinbaseOptions) {
    const { asset, baseUrl = 'https://api.coinbase.com', currencies = WIDELY_QUOTED_CURRENCIES } = options;
    this.name = `coinbase-${asset.toLowerCase()}`;
    this.currencies = currencies;
    this.url = `${baseUrl}/v2/exchange-rates?currency=${asset}`;
  }

  async observe(signal: AbortSignal): Promise<readonly RateObservation[]> {
    const { asset, clock, timeoutMs } = this.options;
    const text = await fetchText({ source: this.name, url: this.url, signal, timeoutMs });
    const { data } = parseAnswer(this.name, text, ANSWER);
    if (data.currency !== asset) throw this.invalid(`data.currency is ${data.currency.slice(0, 10)}, not ${asset}.`);
    const observedAt = isoTime(clock.now());
    return salvage(this.currencies, currency => {
      const price = data.rates[currency];
      if (price === undefined) return null;
      const field = `data.rates.${currency}`;
      if (typeof price !== 'string') throw this.invalid(`${field} is not a string.`);
      const rate = invertPrice(price, { source: this.name, field });
      return { source: this.name, family: this.family, asset, currency, rate, observed_at: observedAt };
    });
  }

  private invalid(message: string): Error {
    return refuse('provider_response_invalid', { message: `${this.name}: ${message}` });
  }
}
