import { DAY_MS, isoTime } from '../../kernel/clock';
import type { Collection, CollectionSpec, Document } from '../../kernel/ports/documents';
import type { Mail } from '../../kernel/ports/mail';
import type { MailKind, MailName, MailTexts } from './mail-kinds';

/** One message; its id is that of the event that asked for it. Older documents have their text alone. */
export type OutboxDocument = Pick<Mail, 'to' | 'subject' | 'text'> & {
  readonly html?: string | null;
  readonly kind?: MailName;
  /** `withheld`: nobody wants the message any more. `given_up`: no mail server took it. */
  readonly status: 'queued' | 'sent' | 'given_up' | 'withheld';
  readonly attempts: number;
  /** The next attempt; for a message that is done, the last moment at which it was due. */
  readonly next_attempt_at: string;
  /** The answer to the last attempt, or the reason why the message is withheld. */
  readonly detail: string | null;
  readonly created_at: string;
  readonly done_at: string | null;
  /** The reader of the message, or the sender to a customer; null for the operator's mail and for secret links. */
  readonly merchant_id?: string | null;
  /** The stream that the message is about, where that is asked again as the message is sent. */
  readonly about?: string;
  /** The hour since 1970 of the transfer in `about`, whose place another transfer of that hour can take. */
  readonly hour?: number;
};

export type OutboxMessage = Document<OutboxDocument>;

/** A mail that is to be written, and its merchant. */
export type OutboxMail = MailKind & {
  readonly id: string;
  readonly to: string;
  readonly merchantId: string | null;
  readonly about?: string;
  readonly hour?: number;
};

const BY_DUE = { by_due: ['status', 'next_attempt_at', 'id'] };

/** Mail to merchants, to their people and to the operator. */
export const OUTBOX_COLLECTION: CollectionSpec = {
  name: 'outbox',
  indexes: {
    ...BY_DUE,
    by_merchant: ['merchant_id', 'created_at', 'id'],
    by_reader: ['merchant_id', 'to', 'kind', 'created_at', 'id'],
  },
};

/** Mail to customers, of which a merchant can ask for much. No notice waits behind it. */
export const CUSTOMER_OUTBOX_COLLECTION: CollectionSpec = {
  name: 'customer_outbox',
  indexes: { ...BY_DUE, by_merchant: ['status', 'merchant_id', 'next_attempt_at', 'id'] },
};

/** A message that was done longer ago is removed: no reader asks for it. */
const KEPT_MS = 30 * DAY_MS;

/** Messages on their way out: each put once, and taken by one sender at a time. */
export class Outbox {
  /** The log names no customer. */
  readonly isOfCustomers: boolean = false;

  constructor(
    protected readonly messages: Collection<OutboxDocument>,
    private readonly texts: MailTexts,
  ) {}

  /**
   * Puts the mail into words, and keeps them. False where the message stands already, whatever its state. No message is
   * sent before `dueMs`.
   */
  put({ id, to, merchantId, about, hour, ...mail }: OutboxMail, now: number, dueMs = now): Promise<boolean> {
    const { subject, text, html } = this.texts.render(mail);
    const words = { to, kind: mail.kind, subject, text, html, merchant_id: merchantId };
    const asked = { ...(about === undefined ? {} : { about }), ...(hour === undefined ? {} : { hour }) };
    const queued = { status: 'queued', attempts: 0, detail: null, done_at: null } as const;
    const times = { next_attempt_at: isoTime(dueMs), created_at: isoTime(now) };
    return this.messages.insert({ id, version: 1, body: { ...words, ...asked, ...queued, ...times } });
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

  /** Whether so many messages of this kind were put for this reader since then: of the merchant, or of the operator. */
  async hasPutSince(
    { merchantId, to, kind }: Pick<OutboxMail, 'merchantId' | 'to' | 'kind'>,
    sinceMs: number,
    count: number,
  ): Promise<boolean> {
    const newest = await this.messages.list({
      index: 'by_reader',
      equals: { merchant_id: merchantId, to, kind },
      range: { from: isoTime(sinceMs) },
      limit: count,
      omit: ['text', 'html'],
    });
    return newest.length >= count;
  }

  /** Removes the messages that were done long ago, at most so many of each status. */
  async clean(now: number, limit: number): Promise<void> {
    const range = { to: isoTime(now - KEPT_MS) };
    for (const status of ['sent', 'given_up', 'withheld']) {
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
