import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Collection, Documents } from '../../../kernel/ports/documents';
import type { MailName } from '../mail-kinds';
import { refuse } from '../../../vocabulary/errors';
import { OUTBOX_COLLECTION, type OutboxDocument, type OutboxMessage } from '../outbox';

/** Messages that one page lists at most. */
const LISTED = 100;

/** A message of a merchant's, without its words. Times are ISO-8601 UTC. */
export type ListedMail = {
  readonly id: string;
  /** Null for an older message, which has its text alone. */
  readonly kind: MailName | null;
  readonly to: string;
  readonly subject: string;
  readonly status: OutboxDocument['status'];
  readonly attempts: number;
  readonly nextAttemptAt: string;
  /** The mail server's answer to the last attempt, or the reason why the mail is withheld. */
  readonly detail: string | null;
  readonly createdAt: string;
  readonly doneAt: string | null;
};

type MailPage = { readonly mails: readonly ListedMail[]; readonly hasMore: boolean };
export type WholeMail = ListedMail & { readonly text: string; readonly html: string | null };

/** One page of a merchant's mail, the newest first. Throws Refusal invalid_cursor. */
export class ListOutbox extends Query<MailPage> {
  constructor(
    readonly merchantId: string,
    /** At most 100. */
    readonly limit: number,
    /** The id of the last message of the page before; null for the first page. */
    readonly startingAfter: string | null,
  ) {
    super();
  }
}

/** One message of a merchant's with its words; null for another merchant's, and where there is none. */
export class GetOutboxMail extends Query<WholeMail | null> {
  constructor(
    readonly merchantId: string,
    readonly id: string,
  ) {
    super();
  }
}

/** Reads one merchant's mail. Mail to customers, to the operator, and with secret links belongs to no merchant here. */
export class OutboxReader {
  private constructor(private readonly messages: Collection<OutboxDocument>) {}

  static async open(documents: Documents): Promise<OutboxReader> {
    return new OutboxReader(await documents.open<OutboxDocument>(OUTBOX_COLLECTION));
  }

  /** Throws Refusal invalid_cursor where `startingAfter` is no message of the merchant's. */
  async list({ merchantId, limit, startingAfter }: ListOutbox): Promise<MailPage> {
    const asked = Math.min(limit, LISTED);
    const found = await this.messages.list({
      index: 'by_merchant',
      equals: { merchant_id: merchantId },
      ...(startingAfter === null ? {} : { after: await this.placeOf(merchantId, startingAfter) }),
      descending: true,
      limit: asked + 1,
      omit: ['text', 'html'],
    });
    return { mails: found.slice(0, asked).map(listed), hasMore: found.length > asked };
  }

  async find({ merchantId, id }: GetOutboxMail): Promise<WholeMail | null> {
    const message = await this.messages.get(id);
    if (message?.body.merchant_id !== merchantId) return null;
    return { ...listed(message), text: message.body.text, html: message.body.html ?? null };
  }

  /**
   * The newest mail with a secret link to an address, among the newest ones of all. For a developer's service without
   * a mail server alone: whoever reads such a mail can take its link.
   */
  async newestLinkTo(address: string): Promise<Pick<WholeMail, 'to' | 'subject' | 'text'> | null> {
    const wanted = address.trim().toLowerCase();
    const found = await this.messages.list({
      index: 'by_merchant',
      equals: { merchant_id: null },
      descending: true,
      limit: LISTED,
    });
    const newest = found.find(({ body }) => body.to.toLowerCase() === wanted)?.body;
    return newest ? { to: newest.to, subject: newest.subject, text: newest.text } : null;
  }

  private async placeOf(merchantId: string, id: string): Promise<{ readonly created_at: string; readonly id: string }> {
    const message = await this.messages.get(id);
    if (message?.body.merchant_id !== merchantId) throw refuse('invalid_cursor', { param: 'starting_after' });
    return { created_at: message.body.created_at, id };
  }
}

@QueryHandler(ListOutbox)
export class ListOutboxHandler implements IQueryHandler<ListOutbox> {
  constructor(private readonly outbox: OutboxReader) {}

  execute(query: ListOutbox): Promise<MailPage> {
    return this.outbox.list(query);
  }
}

@QueryHandler(GetOutboxMail)
export class GetOutboxMailHandler implements IQueryHandler<GetOutboxMail> {
  constructor(private readonly outbox: OutboxReader) {}

  execute(query: GetOutboxMail): Promise<WholeMail | null> {
    return this.outbox.find(query);
  }
}

function listed({ id, body }: OutboxMessage): ListedMail {
  return {
    id,
    kind: body.kind ?? null,
    to: body.to,
    subject: body.subject,
    status: body.status,
    attempts: body.attempts,
    nextAttemptAt: body.next_attempt_at,
    detail: body.detail,
    createdAt: body.created_at,
    doneAt: body.done_at,
  };
}
