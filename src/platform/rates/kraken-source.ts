import { z } from 'zod';
import { isoTime, MINUTE_MS, type Clock } from '../../kernel/clock';
import { refuse } from '../../vocabulary/errors';
import type { RateObservation, RateSource } from '../../kernel/ports/rate-source';
import type { Asset } from '../../vocabulary/tokens';
import { fetchText } from '../outbound/fetch-text';
import { checkShape, parseAnswer } from '../outbound/parse-answer';
import { invertMidPrice } from './exact-rate';
import { PairBatches } from './pair-batches';
import { salvage } from './salvage';

type KrakenPair = { readonly asset: Asset; readonly currency: string };

type KrakenOptions = {
  readonly clock: Clock;
  readonly baseUrl?: string;
  readonly pairs?: readonly KrakenPair[];
  readonly timeoutMs?: number;
};

const DEFAULT_PAIRS: readonly KrakenPair[] = [
  ...['USD', 'EUR', 'GBP', 'CAD', 'AUD', 'CHF', 'JPY'].map(currency => ({ asset: 'USDT' as const, currency })),
  ...['USD', 'EUR', 'GBP', 'CAD', 'AUD', 'CHF'].map(currency => ({ asset: 'USDC' as const, currency })),
];

const UNKNOWN_PAIR = 'EQuery:Unknown asset pair';

/** `{"error":[],"result":{"USDTZUSD":{"a":["1.0002",…],"b":["1.0001",…]}}}`; an error answer has no result. */
const ANSWER = z.object({ error: z.array(z.string()), result: z.record(z.string(), z.unknown()).optional() });
/** `a` and `b` are the best ask and bid, each [price, whole lot volume, lot volume]. */
const TICKER = z.object({ a: z.tuple([z.string()], z.string()), b: z.tuple([z.string()], z.string()) });

/** Kraken's order books, by the middle of bid and ask; only pairs that trade directly. No key is needed. */
export class KrakenSource implements RateSource {
  readonly name = 'kraken';
  readonly family = 'kraken';
  readonly freshForMs = MINUTE_MS;
  readonly currencies: readonly string[];
  private readonly pairs: ReadonlyMap<string, KrakenPair>;
  private readonly batches: PairBatches;

  constructor(private readonly options: KrakenOptions) {
    const { clock, pairs = DEFAULT_PAIRS } = options;
    this.pairs = new Map(pairs.map(pair => [`${pair.asset}${pair.currency}`, pair]));
    this.currencies = [...new Set(pairs.map(pair => pair.currency))];
    this.batches = new PairBatches(this.name, [...this.pairs.keys()], clock);
  }

  async observe(signal: AbortSignal): Promise<readonly RateObservation[]> {
    const tickers = await this.batches.ask(symbols => this.tickers(symbols, signal));
    return salvage([...tickers], ([symbol, ticker]) => this.observation(symbol, ticker));
  }

  private async tickers(symbols: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, unknown> | null> {
    const { baseUrl = 'https://api.kraken.com', timeoutMs } = this.options;
    const url = `${baseUrl}/0/public/Ticker?pair=${symbols.join(',')}`;
    const text = await fetchText({ source: this.name, url, signal, timeoutMs });
    const { error, result = {} } = parseAnswer(this.name, text, ANSWER);
    if (error.includes(UNKNOWN_PAIR)) return null;
    if (error.length > 0) {
      const shown = error.join(', ').slice(0, 200);
      throw refuse('provider_unavailable', { message: `${this.name} answered with an error: ${shown}` });
    }
    // Kraken answers under its old names, which put a Z before a fiat code.
    return new Map(symbols.map(symbol => [symbol, result[symbol] ?? result[symbol.replace(/...$/, 'Z$&')]]));
  }

  private observation(symbol: string, answered: unknown): RateObservation {
    const field = `result.${symbol}`;
    const ticker = checkShape(this.name, answered, TICKER, field);
    const rate = invertMidPrice(ticker.b[0], ticker.a[0], { source: this.name, field });
    const pair = this.pairs.get(symbol) as KrakenPair;
    const observedAt = isoTime(this.options.clock.now());
    return { source: this.name, family: this.family, ...pair, rate, observed_at: observedAt };
  }
}
