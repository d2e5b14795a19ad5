import { BoundedMap } from '../../../kernel/bounded-map';
import { MINUTE_MS, type Clock } from '../../../kernel/clock';
import { refuse } from '../../../vocabulary/errors';
import { isProviderFault } from '../../../kernel/outage';
import { BlockUnanswered } from '../../../kernel/ports/chain';
import type { Operation, ProviderPanel } from './provider-panel';
import type { NamedProvider } from './provider-state';

/** A question that fails for so long has a fault of its own, if providers continue to answer others. */
const OWN_AFTER_MS = MINUTE_MS;
/** Failures before the fault counts as the question's own, with answers to other questions between each two of them. */
const OWN_AFTER_TRIES = 3;
const MOST_QUESTIONS = 256;

type Failing = { readonly sinceMs: number; readonly triedAtMs: number; readonly tries: number };

/**
 * Tells the fault of one question from an outage. There is an outage where providers answer no other question either.
 */
export class OwnFaults<P extends NamedProvider> {
  private readonly failing = new BoundedMap<string, Failing>(MOST_QUESTIONS);

  constructor(
    private readonly panel: ProviderPanel<P>,
    private readonly clock: Clock,
    /** The number of hosts that have to continue answering. */
    private readonly quorum: number,
    private readonly headOf: Operation<P, unknown>,
  ) {}

  /**
   * The answer of `ask`. A refusal that is the question's own has BlockUnanswered as its cause. `isFurther`: the
   * same question of the block before was unanswered. The fault of a run is proved once, and holds for all its blocks.
   */
  async watched<T>(question: string, ask: () => Promise<T>, isFurther = false): Promise<T> {
    try {
      const answer = await ask();
      this.failing.delete(question);
      return answer;
    } catch (error) {
      if (!isProviderFault(error)) throw error;
      if (!this.isOwn(question) && !(isFurther && (await this.areAnswering()))) throw error;
      if (isFurther) this.failing.set(question, { sinceMs: -Infinity, triedAtMs: this.clock.now(), tries: Infinity });
      throw refuse(error.code, { message: error.message, cause: new BlockUnanswered(question, { cause: error }) });
    }
  }

  /** Whether the required number of hosts answer another question just now. */
  async areAnswering(): Promise<boolean> {
    try {
      await this.panel.consult(this.panel.order(), this.quorum, this.headOf, answers => answers[this.quorum - 1]);
      return true;
    } catch (error) {
      if (!isProviderFault(error)) throw error;
      return false;
    }
  }

  private isOwn(question: string): boolean {
    const nowMs = this.clock.now();
    const known = this.failing.get(question) ?? { sinceMs: nowMs, triedAtMs: -Infinity, tries: 0 };
    const isFurther = this.panel.answeringSince(known.triedAtMs) >= this.quorum;
    const next = isFurther ? { ...known, triedAtMs: nowMs, tries: known.tries + 1 } : known;
    this.failing.set(question, next);
    return next.tries > OWN_AFTER_TRIES && nowMs - next.sinceMs >= OWN_AFTER_MS;
  }
}
