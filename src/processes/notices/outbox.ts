import { isoTime } from '../../kernel/clock';
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
};

export type OutboxMessage = Document<OutboxDocument>;

const indexes = { by_due: ['status', 'next_attempt_at', 'id'] };

/** Mail to merchants and to the operator. */
export const OUTBOX_COLLECTION: CollectionSpec = { name: 'outbox', indexes };
/** Mail to customers, of which a merchant can ask for any number. No notice waits behind it. */
export const CUSTOMER_OUTBOX_COLLECTION: CollectionSpec = { name: 'customer_outbox', indexes };

/** Messages on their way out: each put once, and taken by one sender at a time. */
export class Outbox {
  constructor(private readonly messages: Collection<OutboxDocument>) {}

  /** False where the message stands already, whatever its state. No message is sent before `dueMs`. */
  put({ id, to, subject, text }: Mail, now: number, dueMs = now): Promise<boolean> {
    const queued = { status: 'queued', attempts: 0, detail: null, done_at: null } as const;
    const times = { next_attempt_at: isoTime(dueMs), created_at: isoTime(now) };
    return this.messages.insert({ id, version: 1, body: { to, subject, text, ...queued, ...times } });
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

  /** The message as it stands now, or null where another sender changed it first. */
  async change({ id, version, body }: OutboxMessage, changes: Partial<OutboxDocument>): Promise<OutboxMessage | null> {
    const changed = { id, version: version + 1, body: { ...body, ...changes } };
    return (await this.messages.replace(changed, version)) ? changed : null;
  }
}
