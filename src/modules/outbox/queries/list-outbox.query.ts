import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { OutboxReader, type MailPage } from '../outbox-reader';

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

@QueryHandler(ListOutbox)
export class ListOutboxHandler implements IQueryHandler<ListOutbox> {
  constructor(private readonly outbox: OutboxReader) {}

  execute({ merchantId, limit, startingAfter }: ListOutbox): Promise<MailPage> {
    return this.outbox.list(merchantId, limit, startingAfter);
  }
}
