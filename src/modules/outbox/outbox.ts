import { DAY_MS, isoTime } from '../../kernel/clock';
import type { Collection, CollectionSpec, Document } from '../../kernel/ports/documents';
import type { Mail } from '../../kernel/ports/mail';

/** One message; its id is that of the event that asked for it. */
export type OutboxDocument = Omit<Mail, 'id'> & {
  readonly status: 'queued' | 'sent' | 'given_up';
  readonly attempts: number;
  /** The next attempt; for a message that is done, the last moment at which it was due. */
  readonly next_attempt_at: string;
  /** The answer to the last attempt. */
  readonly detail: string | null;
  readonly created_at: string;
  readonly done_at: string | null;
  /** The merchant whose customer gets the message; absent for mail to accounts. */
  readonly merchant_id?: string;
};

export type OutboxMessage = Document<OutboxDocument>;

/** Mail to merchants and to the operator. */
export const OUTBOX_COLLECTION: CollectionSpec = {
  name: 'outbox',
  indexes: { by_due: ['status', 'next_attempt_at', 'id'] },
};

/** Nobody asks for a message that was done so long ago. */
const KEPT_MS = 30 * DAY_MS;

/** Messages on their way out: each put once, and taken by one sender at a time. */
export class Outbox {
  constructor(protected readonly messages: Collection<OutboxDocument>) {}

  /** False where the message stands already, whatever its state. No message is sent before `dueMs`. */
  put(mail: Mail & Pick<OutboxDocument, 'merchant_id'>, now: number, dueMs = now): Promise<boolean> {
    const { id, to, subject, text, merchant_id } = mail;
    const queued = { status: 'queued', attempts: 0, detail: null, done_at: null } as const;
    const times = { next_attempt_at: isoTime(dueMs), created_at: isoTime(now) };
    const sender = merchant_id === undefined ? {} : { merchant_id };
    return this.messages.insert({ id, version: 1, body: { to, subject, text, ...queued, ...times, ...sender } });
  }

  /** The message as it stands, whatever its state; null where none was put. */
  find(id: string): Promise<OutboxMessage | null> {
    return this.messages.get(id);
  }

  due(now: number, limit: number): Promise<readonly OutboxMessage[]> {
    return this.messages.list({
      index: 'by_due',
      equals: { status: 'queued' },
      range: { to: isoTime(now) },
      limit,
    });
  }

  /** Removes the messages that were done long ago, at most so many of each status. */
  async clean(now: number, limit: number): Promise<void> {
    const range = { to: isoTime(now - KEPT_MS) };
    for (const status of ['sent', 'given_up']) {
      const done = await this.messages.list({ index: 'by_due', equals: { status }, range, limit });
      await Promise.all(done.map(({ id, version }) => this.messages.deleteAt(id, version)));
    }
  }

  /** The message as it stands now, or null where another sender changed it first. */
  async change({ id, version, body }: OutboxMessage, changes: Partial<OutboxDocument>): Promise<OutboxMessage | null> {
    const changed = { id, version: version + 1, body: { ...body, ...changes } };
    return (await this.messages.replace(changed, version)) ? changed : null;
  }
}
