import { HOUR_MS, type Clock } from '../../kernel/clock';
import { refuse } from '../../vocabulary/errors';

/** The time for which a pair that the exchange does not know stays out of the batch. */
const UNKNOWN_PAIR_PAUSE_MS = HOUR_MS;

/**
 * The exchange's answer for all these symbols, each by its symbol; null where an unknown symbol makes it refuse all.
 */
type AskAll<Ticker> = (symbols: readonly string[]) => Promise<ReadonlyMap<string, Ticker> | null>;

/**
 * Many pairs in one request of an exchange that fails the whole batch for one unknown pair. A failed batch is halved
 * until the pair at fault stands alone. That pair is left out, and tried again after an hour.
 */
export class PairBatches {
  private readonly unknownUntilMs = new Map<string, number>();

  constructor(
    private readonly source: string,
    private readonly symbols: readonly string[],
    private readonly clock: Clock,
  ) {}

  /** Throws Refusal provider_response_invalid where no symbol is known, and the errors of `ask`. */
  async ask<Ticker>(ask: AskAll<Ticker>): Promise<ReadonlyMap<string, Ticker>> {
    const nowMs = this.clock.now();
    const known = this.symbols.filter(symbol => (this.unknownUntilMs.get(symbol) ?? 0) <= nowMs);
    if (known.length === 0) {
      throw refuse('provider_response_invalid', { message: `${this.source} knows none of the configured pairs.` });
    }
    return new Map(await this.askHalving(known, ask));
  }

  private async askHalving<Ticker>(
    symbols: readonly string[],
    ask: AskAll<Ticker>,
  ): Promise<readonly (readonly [string, Ticker])[]> {
    const tickers = await ask(symbols);
    if (tickers !== null) return [...tickers];
    const [first] = symbols;
    if (first !== undefined && symbols.length === 1) {
      this.unknownUntilMs.set(first, this.clock.now() + UNKNOWN_PAIR_PAUSE_MS);
      return [];
    }
    const middle = Math.ceil(symbols.length / 2);
    const half = await this.askHalving(symbols.slice(0, middle), ask);
    return [...half, ...(await this.askHalving(symbols.slice(middle), ask))];
  }
}
