import { SECOND_MS, type Clock } from '../../kernel/clock';
import { refuse, type Refusal } from '../../vocabulary/errors';
import { OutcomeUnknown } from '../../kernel/ports/event-store';
import type { Collection } from '../../kernel/ports/documents';
import type { Log } from '../../kernel/ports/log';
import type { SecretBox, SecretOwner } from '../../kernel/ports/secret-box';
import {
  answered,
  FIRST_OWNER,
  renewed,
  sealId,
  stopped,
  withheld,
  type IdempotencyRecord,
  type WorkingRecord,
} from './idempotency-record';

/** Two renewals may fail before the lease ends. */
const RENEW_EVERY_MS = 10 * SECOND_MS;
/** An hour: longer work hangs, and another request may then take the command over. */
const RENEWALS_LIMIT = 360;
/** A write is tried again only where its own earlier try may have moved the version. */
const WRITE_TRIES = 4;
/** Statuses of bad requests, which leave no record. */
export const LEAVE_NO_TRACE: readonly number[] = [400, 401, 413, 415, 429];
const SERVER_FAULT = 500;
/** The pause that a client is told while the first request with its key works. Most commands are shorter. */
const IN_USE_RETRY_SECONDS = 1;

/** The refusal of a request whose key another request works under. */
export function keyInUse(): Refusal {
  return refuse('idempotency_key_in_use', { retryAfterSeconds: IN_USE_RETRY_SECONDS });
}

/** `body` is the very text of the answer. */
export type Answer = { readonly status: number; readonly body: string };

export type LeasePorts = {
  readonly records: Collection<IdempotencyRecord>;
  readonly secretBox: SecretBox;
  /** The wall's clock. */
  readonly clock: Clock;
  readonly log: Log;
};

type Written = 'written' | 'taken_over' | 'ended';

/** The right to work under a key, renewed until the answer is known. */
export class KeyLease {
  private readonly finishing = new AbortController();
  private readonly renewing: Promise<void>;

  /** `version` is that of the document by which this lease became the owner. */
  constructor(
    private readonly ports: LeasePorts,
    private readonly id: string,
    private readonly owner: SecretOwner,
    private readonly record: WorkingRecord,
    private version: number,
  ) {
    this.renewing = this.renewUntilFinished();
  }

  get commandId(): string {
    return this.record.command_id;
  }

  /** False where an earlier owner may have done a part of the work, or all of it. */
  get isFirstTry(): boolean {
    return this.record.owner === FIRST_OWNER;
  }

  /**
   * The moment, by the mode's clock, at which the command was first given. A later owner gives the command at the same
   * moment, so its ids come out the same.
   */
  get commandedAtMs(): number {
    return this.record.commanded_at_ms;
  }

  /**
   * Ends the work with the client's answer; nothing may be sent before this resolves. `holdsSecret`: the answer, or the
   * lost one, held a one-time secret. Throws Refusal idempotency_key_in_use when another owner has taken over, whose
   * answer then counts. Throws the store's errors.
   */
  async finish(answer: Answer, holdsSecret: boolean): Promise<void> {
    this.finishing.abort();
    await this.renewing;
    const written = await this.write(await this.outcome(answer, holdsSecret));
    if (written === 'taken_over' && isKept(answer)) throw keyInUse();
  }

  /** The next record; null for none. */
  private async outcome(answer: Answer, holdsSecret: boolean): Promise<IdempotencyRecord | null> {
    if (holdsSecret) return withheld(this.record);
    if (isKept(answer)) return answered(this.record, answer.status, await this.sealed(answer));
    // A later owner builds on the work of earlier ones, which the next owner must find again. So only the first owner
    // can leave no trace.
    return LEAVE_NO_TRACE.includes(answer.status) && this.record.owner === FIRST_OWNER ? null : stopped(this.record);
  }

  /** The first seal with a data key reads the log. Where that fails, the next request goes on with the same command. */
  private async sealed({ body }: Answer): Promise<string> {
    try {
      return await this.ports.secretBox.seal(body, sealId(this.id, this.commandId), this.owner);
    } catch (error) {
      await this.write(stopped(this.record));
      throw error;
    }
  }

  private async renewUntilFinished(): Promise<void> {
    const { clock, log } = this.ports;
    for (let renewals = 0; renewals < RENEWALS_LIMIT; renewals++) {
      await clock.wait(RENEW_EVERY_MS, this.finishing.signal);
      if (this.finishing.signal.aborted) return;
      try {
        const written = await this.write(renewed(this.record, clock.now()));
        if (written !== 'written') return;
      } catch (error) {
        log.warn({ record: this.id, err: error }, 'a lease could not be renewed; tried again before it ends');
      }
    }
  }

  /**
   * Puts `next` in the place of this owner's last record, null for no record, unless another owner has written since.
   */
  private async write(next: IdempotencyRecord | null): Promise<Written> {
    for (let attempt = 1; ; attempt++) {
      try {
        if (await this.writeAt(next)) return 'written';
      } catch (error) {
        if (!(error instanceof OutcomeUnknown) || attempt >= WRITE_TRIES) throw error;
      }
      const standing = await this.ports.records.get(this.id);
      if (standing?.body.command_id !== this.record.command_id) return 'ended';
      if (standing.body.owner !== this.record.owner || attempt >= WRITE_TRIES) return 'taken_over';
      this.version = standing.version;
    }
  }

  private async writeAt(next: IdempotencyRecord | null): Promise<boolean> {
    const { records } = this.ports;
    if (next === null) return records.deleteAt(this.id, this.version);
    const written = await records.replace({ id: this.id, version: this.version + 1, body: next }, this.version);
    if (written) this.version++;
    return written;
  }
}

/** A fault invites the same request again, and a refused body may be sent corrected: neither answer is final. */
function isKept({ status }: Answer): boolean {
  return status < SERVER_FAULT && !LEAVE_NO_TRACE.includes(status);
}
