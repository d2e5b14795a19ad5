import { BoundedMap } from '../../kernel/bounded-map';
import { isRefusal, type Refusal } from '../../kernel/errors';
import type { RateObservation } from '../../kernel/ports/rate-source';
import { freshSpan, type QuotedRate } from './quote-rate';

/** More than there are pairs of an asset and a currency in two modes. */
const VERDICTS_LIMIT = 4_096;

type Verdict = {
  readonly fromMs: number;
  /** From this moment on the verdict is over. */
  readonly validUntilMs: number;
  readonly outcome: QuotedRate | Refusal;
};

/** What a verdict is made of; `judge` is asked for nothing else, and throws a Refusal or answers. */
export type Judged = {
  readonly observations: readonly RateObservation[];
  readonly freshForMs: (source: string) => number;
  readonly judge: () => QuotedRate;
};

/**
 * Verdicts on rates. Each of them holds until another rate comes, and no longer than the same rates are fresh. So no
 * request pays for what the one before it has computed.
 */
export class RateVerdicts {
  private readonly verdicts = new BoundedMap<string, Verdict>(VERDICTS_LIMIT);

  /** To be called with each new rate. */
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
