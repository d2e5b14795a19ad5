import { BoundedMap } from '../../kernel/bounded-map';
import type { WebhookOutcome } from '../../kernel/ports/webhook-sender';

/** Beyond this number the oldest is forgotten, and its attempt is made again. */
const UNRECORDED_LIMIT = 10_000;

/** `now`: the attempt's moment by the merchant's clock. */
type MadeAttempt = { readonly outcome: WebhookOutcome; readonly now: number };

/**
 * The answers of receivers to attempts that are not recorded yet. While the log can be read and not written, an attempt
 * comes again and again: it is recorded then, not sent again. A process that dies forgets the answers, and the next one
 * sends again: at least once.
 */
export class UnrecordedAnswers {
  private readonly made = new BoundedMap<string, MadeAttempt>(UNRECORDED_LIMIT);

  get(attempt: string): MadeAttempt | undefined {
    return this.made.get(attempt);
  }

  keep(attempt: string, made: MadeAttempt): void {
    this.made.set(attempt, made);
  }

  recorded(attempt: string): void {
    this.made.delete(attempt);
  }
}
