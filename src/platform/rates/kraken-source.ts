import { z } from 'zod';
import { HOUR_MS, isoTime, MINUTE_MS, type Clock } from '../../kernel/clock';
import { refuse } from '../../kernel/errors';
import type { Asset, RateObservation, RateSource } from '../../kernel/ports/rate-source';
import { invertMidPrice } from './exact-rate';
import { fetchText } from './fetch-text';
import { parseAnswer } from './parse-answer';

export type KrakenPair = { readonly asset: Asset; readonly currency: string };

export type KrakenOptions = {
  readonly clock: Clock;
  readonly baseUrl?: string;
  readonly pairs?: readonly KrakenPair[];
  readonly timeoutMs?: number;
};

const DEFAULT_PAIRS: readonly KrakenPair[] = [
  ...['USD', 'EUR', 'GBP', 'CAD', 'AUD', 'CHF', 'JPY'].map(currency => ({ asset: 'USDT' as const, currency })),
  ...['USD', 'EUR', 'GBP', 'CAD', 'AUD', 'CHF'].map(currency => ({ asset: 'USDC' as const, currency })),
];

/** How long a pair that Kraken does not know stays out of the batch. */
const UNKNOWN_PAIR_PAUSE_MS = HOUR_MS;
const UNKNOWN_PAIR = 'EQuery:Unknown asset pair';

/** `a` and `b` are the best ask and bid, each [price, whole lot volume, lot volume]. */
const TICKER = z.object({ a: z.tuple([z.string()], z.string()), b: z.tuple([z.string()], z.string()) });
/** `{"error":[],"result":{"USDTZUSD":{"a":["1.0002",…],"b":["1.0001",…]}}}`; an error answer has no result. */
const ANSWER = z.object({ error: z.array(z.string()), result: z.record(z.string(), TICKER).optional() });

/** Kraken's order books, by the middle of bid and ask; only pairs that trade directly. Needs no key. */
export class KrakenSource implements RateSource {
  readonly name = 'kraken';
  readonly family = 'kraken';
  readonly freshForMs = MINUTE_MS;
  readonly currencies: readonly string[];
  private readonly pairs: readonly KrakenPair[];
  private readonly unknownUntilMs = new Map<string, number>();

  constructor(private readonly options: KrakenOptions) {
    this.pairs = options.pairs ?? DEFAULT_PAIRS;
    this.currencies = [...new Set(this.pairs.map(pair => pair.currency))];
  }

  async observe(signal: AbortSignal): Promise<readonly RateObservation[]> {
    const nowMs = this.options.clock.now();
    const known = this.pairs.filter(pair => (this.unknownUntilMs.get(symbolOf(pair)) ?? 0) <= nowMs);
    if (known.length === 0) {
      throw refuse('provider_response_invalid', { message: `${this.name} knows none of the configured pairs.` });
    }
    return this.ask(known, signal);
  }

  /** One unknown pair fails the whole batch, so a failed batch is halved until the pair at fault stands alone; it is left out then. */
  private async ask(pairs: readonly KrakenPair[], signal: AbortSignal): Promise<readonly RateObservation[]> {
    const { baseUrl = 'https://api.kraken.com', clock, timeoutMs } = this.options;
    const url = `${baseUrl}/0/public/Ticker?pair=${pairs.map(symbolOf).join(',')}`;
    const text = await fetchText({ source: this.name, url, signal, timeoutMs });
    const answer = parseAnswer(this.name, text, ANSWER);
    if (answer.error.includes(UNKNOWN_PAIR)) {
      const [first] = pairs;
      if (first && pairs.length === 1) {
        this.unknownUntilMs.set(symbolOf(first), clock.now() + UNKNOWN_PAIR_PAUSE_MS);
        return [];
      }
      const middle = Math.ceil(pairs.length / 2);
      const half = await this.ask(pairs.slice(0, middle), signal);
      return [...half, ...(await this.ask(pairs.slice(middle), signal))];
    }
    if (answer.error.length > 0) {
      const shown = answer.error.join(', ').slice(0, 200);
      throw refuse('provider_unavailable', { message: `${this.name} answered with an error: ${shown}` });
    }
    const tickers = answer.result ?? {};
    return pairs.map(pair => this.observation(pair, tickers));
  }

  private observation(pair: KrakenPair, tickers: Readonly<Record<string, Ticker>>): RateObservation {
    const symbol = symbolOf(pair);
    // Kraken answers under its old names, which put a Z before a fiat code.
    const ticker = tickers[symbol] ?? tickers[`${pair.asset}Z${pair.currency}`];
    if (!ticker) throw refuse('provider_response_invalid', { message: `${this.name}: result.${symbol} is missing.` });
    const rate = invertMidPrice(ticker.b[0], ticker.a[0], { source: this.name, field: `result.${symbol}` });
    const observedAt = isoTime(this.options.clock.now());
    return { source: this.name, family: this.family, ...pair, rate, observed_at: observedAt };
  }
}

type Ticker = z.infer<typeof TICKER>;

function symbolOf({ asset, currency }: KrakenPair): string {
  return `${asset}${currency}`;
}
