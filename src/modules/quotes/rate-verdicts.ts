import { BoundedMap } from '../../kernel/bounded-map';
import { isRefusal, type Refusal } from '../../vocabulary/errors';
import type { RateObservation } from '../../kernel/ports/rate-source';
import { freshSpan, type QuotedRate } from './quote-rate';

/** A number above that of all pairs of an asset and a currency in two modes. */
const VERDICTS_LIMIT = 4_096;

type Verdict = {
  readonly fromMs: number;
  /** The moment from which the verdict no longer holds. */
  readonly validUntilMs: number;
  readonly outcome: QuotedRate | Refusal;
};

/** The parts of a verdict; `judge` throws a Refusal or answers, and reads nothing else. */
type Judged = {
  readonly observations: readonly RateObservation[];
  readonly freshForMs: (source: string) => number;
  readonly judge: () => QuotedRate;
};

/**
 * Verdicts on rates. Each of them holds until another rate comes, and no longer than the same rates are fresh. So no
 * request repeats the computation of the one before it.
 */
export class RateVerdicts {
  private readonly verdicts = new BoundedMap<string, Verdict>(VERDICTS_LIMIT);

  /** Must be called with each new rate. */
  end(): void {
    this.verdicts.clear();
  }

  /** Throws the Refusal of the verdict. */
  of(pair: string, nowMs: number, judged: () => Judged): QuotedRate {
    const known = this.verdicts.get(pair);
    const isValid = known !== undefined && known.fromMs <= nowMs && nowMs < known.validUntilMs;
    const { outcome } = isValid ? known : this.judge(pair, nowMs, judged());
    if (isRefusal(outcome)) throw outcome;
    return outcome;
  }

  private judge(pair: string, nowMs: number, { observations, freshForMs, judge }: Judged): Verdict {
    const { fromMs, untilMs: validUntilMs } = freshSpan(observations, freshForMs, nowMs);
    const verdict = { fromMs, validUntilMs, outcome: outcomeOf(judge) };
    this.verdicts.set(pair, verdict);
    return verdict;
  }
}

function outcomeOf(judge: () => QuotedRate): QuotedRate | Refusal {
  try {
    return judge();
  } catch (error) {
    if (isRefusal(error)) return error;
    throw error;
  }
}
