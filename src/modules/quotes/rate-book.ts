import { parseIsoTime, SECOND_MS, type Clock } from '../../kernel/clock';
import { currencyDecimals } from '../../vocabulary/currencies';
import type { Entropy } from '../../kernel/entropy';
import { isRefusal, refuse } from '../../vocabulary/errors';
import type { Mode } from '../../vocabulary/modes';
import { invariant } from '../../kernel/invariant';
import type { Log } from '../../kernel/ports/log';
import type { RateObservation, RateSource } from '../../kernel/ports/rate-source';
import type { Asset } from '../../vocabulary/tokens';
import { CENTRAL_BANK_FAMILY, MIN_FAMILIES, PEG_CURRENCY, quoteRate, type QuotedRate } from './quote-rate';
import { RateVerdicts } from './rate-verdicts';

const REFRESH_INTERVAL_MS = 20 * SECOND_MS;
/**
 * The pause is longer by up to this much, by chance, so that instances which started together do not keep asking
 * together.
 */
const REFRESH_JITTER_MS = 10 * SECOND_MS;
const SOURCE_TIMEOUT_MS = 10 * SECOND_MS;
/** A source's own words, and the errors that caused them. */
const REASONS_TOLD = 4;

/** The rates for deciding on a price; never waits for a source. */
export interface Rates {
  /** Throws Refusal insufficient_rate_sources or rate_divergence. */
  quote(mode: Mode, asset: Asset, currency: string): QuotedRate;
  /** The currencies that at least two configured families can quote independently, in alphabetical order. */
  listedCurrencies(mode: Mode): readonly string[];
  isListed(mode: Mode, currency: string): boolean;
}

export type SourceHealth = {
  readonly source: string;
  readonly family: string;
  /** The number of currencies that the source quotes. */
  readonly currencies: number;
  readonly fresh_for_ms: number;
  /** The newest observation; null where there was none yet. */
  readonly newest_at: string | null;
  /** Whether that observation may serve a quote. */
  readonly is_fresh: boolean;
  /** The code of the last failure; null while the source answers. */
  readonly failure: string | null;
  /** The pairs that the source gave before and left out of its last answer. */
  readonly missing_pairs: readonly string[];
};

type SourceState = {
  /** The newest observation of each pair; an observation that is not renewed simply ages. */
  readonly latest: Map<string, RateObservation>;
  /** The code of the last failure; null while the source answers. */
  failure: string | null;
  /** The pairs that the source gave before and left out of its last answer. */
  missing: string;
};

/**
 * The latest observations of every source, asked for in the background and read in memory. Ages go by the wall's clock.
 */
export class RateBook implements Rates {
  private readonly listed: Readonly<Record<Mode, ReadonlySet<string>>>;
  private readonly states: ReadonlyMap<RateSource, SourceState>;
  private readonly verdicts = new RateVerdicts();

  constructor(
    private readonly sources: Readonly<Record<Mode, readonly RateSource[]>>,
    private readonly clock: Clock,
    private readonly log: Log,
    private readonly entropy: Entropy,
  ) {
    for (const mode of ['test', 'live'] as const) {
      const names = new Set(sources[mode].map(source => source.name));
      invariant(names.size === sources[mode].length, `two rate sources of mode ${mode} have the same name`);
      const unknown = sources[mode].flatMap(source => source.currencies).find(code => currencyDecimals(code) === null);
      invariant(
        unknown === undefined,
        `a rate source of mode ${mode} names ${unknown}, which is no currency of ISO 4217`,
      );
    }
    this.listed = { test: listedBy(sources.test), live: listedBy(sources.live) };
    this.states = new Map(
      [...sources.test, ...sources.live].map(source => [source, { latest: new Map(), failure: null, missing: '' }]),
    );
  }

  /**
   * Asks each source every 20 to 30 seconds from now on, until `signal` aborts. A slow source delays no other. Never
   * throws for a source that fails.
   */
  async run(signal: AbortSignal): Promise<void> {
    await Promise.all([...this.states].map(([source, state]) => this.keepFresh(source, state, signal)));
  }

  /** Asks every source once, all at the same time, each for at most 10 seconds. */
  async refresh(signal: AbortSignal = new AbortController().signal): Promise<void> {
    await Promise.all([...this.states].map(([source, state]) => this.refreshSource(source, state, signal)));
  }

  quote(mode: Mode, asset: Asset, currency: string): QuotedRate {
    const nowMs = this.clock.now();
    return this.verdicts.of(`${mode} ${asset}/${currency}`, nowMs, () => {
      const observations = this.observationsFor(mode, asset, currency);
      const sources = new Map(this.sources[mode].map(source => [source.name, source.freshForMs]));
      const freshForMs = (name: string): number => sources.get(name) ?? 0;
      return { observations, freshForMs, judge: () => quoteRate(observations, asset, currency, freshForMs, nowMs) };
    });
  }

  listedCurrencies(mode: Mode): readonly string[] {
    return [...this.listed[mode]].sort();
  }

  isListed(mode: Mode, currency: string): boolean {
    return this.listed[mode].has(currency);
  }

  /** How each source of the mode answers this process. */
  health(mode: Mode): readonly SourceHealth[] {
    const nowMs = this.clock.now();
    return this.sources[mode].map(source => {
      const { name, family, currencies, freshForMs } = source;
      const state = this.states.get(source);
      const times = [...(state?.latest.values() ?? [])].map(({ observed_at: at }) => at);
      const newest = times.toSorted().at(-1) ?? null;
      return {
        ...{ source: name, family, currencies: currencies.length, fresh_for_ms: freshForMs },
        newest_at: newest,
        is_fresh: newest !== null && nowMs - parseIsoTime(newest) <= freshForMs,
        failure: state?.failure ?? null,
        missing_pairs: state?.missing === '' ? [] : (state?.missing.split(', ') ?? []),
      };
    });
  }

  private observationsFor(mode: Mode, asset: Asset, currency: string): readonly RateObservation[] {
    const pairs = [`${asset}/${currency}`, `${asset}/${PEG_CURRENCY}`, `USD/${currency}`];
    return this.sources[mode].flatMap(source => pairs.flatMap(pair => this.states.get(source)?.latest.get(pair) ?? []));
  }

  private async keepFresh(source: RateSource, state: SourceState, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const jitterMs = Buffer.from(this.entropy.bytes(4)).readUInt32BE() % (REFRESH_JITTER_MS + 1);
      await this.clock.wait(REFRESH_INTERVAL_MS + jitterMs, signal);
      if (!signal.aborted) await this.refreshSource(source, state, signal);
    }
  }

  private async refreshSource(source: RateSource, state: SourceState, signal: AbortSignal): Promise<void> {
    try {
      const observations = await this.observeInTime(source, signal);
      this.tellWhatIsMissing(source, state, new Set(observations.map(pairOf)));
      for (const observation of observations) state.latest.set(pairOf(observation), observation);
      this.verdicts.end();
      const hasFailed = state.failure !== null;
      state.failure = null;
      if (hasFailed && this.failuresOf(source).length === 0)
        this.log.info({ source: source.name }, 'rate source answers again');
    } catch (error) {
      if (signal.aborted) return;
      const failure = isRefusal(error) ? error.code : 'internal_error';
      const isTold = this.failuresOf(source).includes(failure);
      state.failure = failure;
      if (!isTold) this.log.warn({ source: source.name, ...factsOf(error) }, 'rate source fails');
    }
  }

  /** A source of both modes is asked for each of them, and told of once. */
  private failuresOf({ name }: RateSource): readonly string[] {
    return [...this.states].flatMap(([each, { failure }]) => (each.name === name && failure !== null ? failure : []));
  }

  /** A source leaves out the unreadable parts of an answer, which must not happen in silence. */
  private tellWhatIsMissing({ name }: RateSource, state: SourceState, given: ReadonlySet<string>): void {
    const missing = [...state.latest.keys()].filter(pair => !given.has(pair)).join(', ');
    if (missing !== '' && missing !== state.missing) {
      this.log.warn({ source: name, missing }, 'rate source leaves out pairs that it gave before');
    }
    state.missing = missing;
  }

  private async observeInTime(source: RateSource, signal: AbortSignal): Promise<readonly RateObservation[]> {
    const limit = new AbortController();
    const stop = (): void => limit.abort();
    const gaveUp = new Promise<never>((_, reject) => {
      const message = `${source.name} did not answer within ${SOURCE_TIMEOUT_MS} ms.`;
      limit.signal.addEventListener('abort', () => reject(refuse('provider_unavailable', { message })));
    });
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    void this.clock.wait(SOURCE_TIMEOUT_MS, limit.signal).then(stop);
    try {
      // The call is inside a promise, so that even a source that throws at once leaves no rejection unattended.
      return await Promise.race([Promise.resolve().then(() => source.observe(limit.signal)), gaveUp]);
    } finally {
      signal.removeEventListener('abort', stop);
      stop();
    }
  }
}

/** A refusal is told in a line: its stack names our own code alone, which is not at fault. */
function factsOf(error: unknown): object {
  if (!isRefusal(error)) return { err: error };
  const reasons: string[] = [];
  for (let each: unknown = error; each instanceof Error && reasons.length < REASONS_TOLD; each = each.cause)
    reasons.push(each.message.replace(/\.$/, ''));
  return { code: error.code, reason: reasons.join(': ') };
}

function pairOf({ asset, currency }: RateObservation): string {
  return `${asset}/${currency}`;
}

function listedBy(sources: readonly RateSource[]): ReadonlySet<string> {
  const families = new Map<string, Set<string>>();
  for (const source of sources) {
    for (const currency of source.currencies) {
      families.set(currency, (families.get(currency) ?? new Set()).add(source.family));
    }
  }
  const inDollars = [...(families.get(PEG_CURRENCY) ?? [])];
  return new Set([...families].filter(([, names]) => isQuotable(names, inDollars)).map(([currency]) => currency));
}

/** A central bank counts where another family has the token's dollar rate and does not quote the currency itself. */
function isQuotable(names: ReadonlySet<string>, inDollars: readonly string[]): boolean {
  const hasCross = names.has(CENTRAL_BANK_FAMILY) && inDollars.some(family => !names.has(family));
  const direct = [...names].filter(name => name !== CENTRAL_BANK_FAMILY).length;
  return direct + (hasCross ? 1 : 0) >= MIN_FAMILIES;
}
