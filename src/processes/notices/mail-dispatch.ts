import { HOUR_MS, isoTime, MINUTE_MS, type Clock } from '../../kernel/clock';
import { Interruptions } from '../../kernel/interruptions';
import { repeat } from '../../kernel/jobs';
import type { Log } from '../../kernel/ports/log';
import type { MailOutcome, MailSender } from '../../kernel/ports/mail';
import type { Outbox, OutboxMessage } from '../../modules/outbox/outbox';

const POLL_MS = 1_000;
/** Messages that one sweep takes; the rest wait for the next. */
const SWEEP_LIMIT = 50;
/** A day's mail of many accounts is removed within a day. */
const CLEAN_EVERY_MS = MINUTE_MS;
const CLEANED_AT_A_TIME = 200;
/** The lease lasts longer than any attempt: a message whose sender died in the middle is sent again after it. */
const LEASE_MS = 5 * MINUTE_MS;
/** The pause after each deferred attempt; a message deferred once more is given up, some 45 hours after the first. */
export const RETRY_PAUSES_MS: readonly number[] = [
  MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 6 * HOUR_MS, 12 * HOUR_MS, 24 * HOUR_MS,
]; // prettier-ignore

/** Sends the messages that are due in the outbox, at least once each. */
export class MailDispatch {
  private readonly interruptions: Interruptions;
  private cleanedAtMs = -Infinity;

  constructor(
    private readonly outbox: Outbox,
    private readonly sender: MailSender,
    private readonly clock: Clock,
    private readonly log: Log,
    /** The reason why a message does not go out any more; null where it does. */
    private readonly whyNot: (message: OutboxMessage) => Promise<string | null> = () => Promise.resolve(null),
  ) {
    this.interruptions = new Interruptions(clock, log, 'sending mail was interrupted');
  }

  /** Resolves when `signal` aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const onFault = (error: unknown): void => this.interruptions.tell(error, {});
    await repeat(() => this.sweep(signal), { everyMs: POLL_MS, clock: this.clock, onFault }, signal);
  }

  async sweep(signal?: AbortSignal): Promise<void> {
    for (const message of await this.outbox.due(this.clock.now(), SWEEP_LIMIT)) {
      if (signal?.aborted) return;
      await this.attempt(message);
    }
    await this.clean(this.clock.now());
  }

  private async clean(now: number): Promise<void> {
    if (Math.abs(now - this.cleanedAtMs) < CLEAN_EVERY_MS) return;
    this.cleanedAtMs = now;
    await this.outbox.clean(now, CLEANED_AT_A_TIME);
  }

  private async attempt(message: OutboxMessage): Promise<void> {
    const attempts = message.body.attempts + 1;
    const lease = { attempts, next_attempt_at: isoTime(this.clock.now() + LEASE_MS) };
    const leased = await this.outbox.change(message, lease);
    if (!leased) return;
    const { id, body } = leased;
    const reason = await this.whyNot(leased);
    if (reason !== null) return this.withhold(leased, reason);
    const { to, subject, text, html = null } = body;
    const outcome = await this.sender.send({ id, to, subject, text, html });
    await this.record(leased, outcome);
  }

  private async withhold(message: OutboxMessage, reason: string): Promise<void> {
    this.log.info({ mail: message.id, ...this.shownOf(message, reason) }, 'mail withheld');
    const ended = { status: 'withheld', detail: reason, done_at: isoTime(this.clock.now()) } as const;
    await this.outbox.change(message, ended);
  }

  private async record(message: OutboxMessage, { status, detail }: MailOutcome): Promise<void> {
    const now = this.clock.now();
    const { attempts } = message.body;
    const facts = { mail: message.id, attempts, ...this.shownOf(message, detail) };
    const pauseMs = RETRY_PAUSES_MS[attempts - 1];
    if (status === 'deferred' && pauseMs !== undefined) {
      this.log.warn({ ...facts, retry_in_ms: pauseMs }, 'mail was deferred');
      await this.outbox.change(message, { detail, next_attempt_at: isoTime(now + pauseMs) });
      return;
    }
    if (status === 'sent') this.log.info({ mail: message.id, attempts }, 'mail sent');
    else this.log.error(facts, 'mail given up');
    const ended = status === 'sent' ? 'sent' : 'given_up';
    await this.outbox.change(message, { status: ended, detail, done_at: isoTime(now) });
  }

  /** Nothing of a customer stands in the log; the outbox tells it by the message's id. */
  private shownOf({ body: { to, subject } }: OutboxMessage, detail: string | null): object {
    return this.outbox.isOfCustomers ? {} : { to, subject, detail };
  }
}
