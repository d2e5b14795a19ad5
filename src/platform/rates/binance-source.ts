import { z } from 'zod';
import { isoTime, MINUTE_MS, type Clock } from '../../kernel/clock';
import { refuse } from '../../vocabulary/errors';
import type { RateObservation, RateSource } from '../../kernel/ports/rate-source';
import type { Asset } from '../../vocabulary/tokens';
import { fetchText } from '../outbound/fetch-text';
import { checkShape, parseAnswer } from '../outbound/parse-answer';
import { crossRate, invertPrice, midPrice } from './exact-rate';
import { PairBatches } from './pair-batches';
import { salvage } from './salvage';

type BinanceOptions = {
  readonly clock: Clock;
  readonly baseUrl?: string;
  /** Symbols of USDT against a fiat currency, in the exchange's own order of the two. */
  readonly symbols?: readonly string[];
  readonly timeoutMs?: number;
};

/**
 * The exchange has no dollars. Left out are currencies (ARS, NGN) whose free price is far from the official one of
 * other sources, since the two would never agree.
 */
const DEFAULT_SYMBOLS = [
  'EURUSDT',
  ...['BRL', 'CZK', 'JPY', 'MXN', 'PLN', 'RON', 'TRY', 'ZAR'].map(each => `USDT${each}`),
];
const USDC_SYMBOL = 'USDCUSDT';
const UNKNOWN_SYMBOL_CODE = -1121;

/**
 * `[{"symbol":"EURUSDT","bidPrice":"1.0850","askPrice":"1.0851",…}]`, or with status 400 `{"code":-1121,"msg":"Invalid
 * symbol."}`.
 */
const ANSWER = z.union([z.array(z.unknown()), z.object({ code: z.number(), msg: z.string() })]);
const SYMBOL = z.object({ symbol: z.string() });
const TICKER = z.object({ bidPrice: z.string(), askPrice: z.string() });

/** Binance's order books, by the middle of bid and ask; USDC by its own price in USDT. No key is needed. */
export class BinanceSource implements RateSource {
  readonly name = 'binance';
  readonly family = 'binance';
  readonly freshForMs = MINUTE_MS;
  readonly currencies: readonly string[];
  private readonly symbols: readonly string[];
  private readonly batches: PairBatches;

  constructor(private readonly options: BinanceOptions) {
    this.symbols = options.symbols ?? DEFAULT_SYMBOLS;
    this.currencies = this.symbols.map(currencyOf);
    this.batches = new PairBatches(this.name, [...this.symbols, USDC_SYMBOL], options.clock);
  }

  async observe(signal: AbortSignal): Promise<readonly RateObservation[]> {
    const tickers = await this.batches.ask(symbols => this.tickers(symbols, signal));
    const prices = new Map(salvage([...tickers], ([symbol, ticker]) => [symbol, this.price(symbol, ticker)] as const));
    const usdcPrice = prices.get(USDC_SYMBOL);
    const observedAt = isoTime(this.options.clock.now());
    const observation = (asset: Asset, currency: string, rate: string): RateObservation => {
      return { source: this.name, family: this.family, asset, currency, rate, observed_at: observedAt };
    };
    return this.symbols.flatMap(symbol => {
      const price = prices.get(symbol);
      if (price === undefined) return [];
      const currency = currencyOf(symbol);
      const rate = symbol.startsWith('USDT') ? invertPrice(price, { source: this.name, field: symbol }) : price;
      const usdt = observation('USDT', currency, rate);
      return usdcPrice === undefined ? [usdt] : [usdt, observation('USDC', currency, crossRate(rate, usdcPrice))];
    });
  }

  private async tickers(symbols: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, unknown> | null> {
    const { baseUrl = 'https://api.binance.com', timeoutMs } = this.options;
    const url = `${baseUrl}/api/v3/ticker/bookTicker?symbols=${encodeURIComponent(JSON.stringify(symbols))}`;
    const text = await fetchText({ source: this.name, url, signal, timeoutMs, statuses: [200, 400] });
    const answer = parseAnswer(this.name, text, ANSWER);
    if (Array.isArray(answer)) {
      const bySymbol = new Map(answer.map(each => [SYMBOL.safeParse(each).data?.symbol, each]));
      return new Map(symbols.map(symbol => [symbol, bySymbol.get(symbol)]));
    }
    if (answer.code === UNKNOWN_SYMBOL_CODE) return null;
    const shown = `${answer.code} ${answer.msg.slice(0, 200)}`;
    throw refuse('provider_unavailable', { message: `${this.name} answered with an error: ${shown}` });
  }

  /** The middle, in the pair's second currency for one unit of its first. */
  private price(symbol: string, answered: unknown): string {
    const { bidPrice, askPrice } = checkShape(this.name, answered, TICKER, symbol);
    return midPrice(bidPrice, askPrice, { source: this.name, field: symbol });
  }
}

function currencyOf(symbol: string): string {
  return symbol.replace('USDT', '');
}
