import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { OutboxReader, type WholeMail } from '../outbox-reader';

/** One message of a merchant's with its words; null for another merchant's, and where there is none. */
export class GetOutboxMail extends Query<WholeMail | null> {
  constructor(
    readonly merchantId: string,
    readonly id: string,
  ) {
    super();
  }
}

@QueryHandler(GetOutboxMail)
export class GetOutboxMailHandler implements IQueryHandler<GetOutboxMail> {
  constructor(private readonly outbox: OutboxReader) {}

  execute({ merchantId, id }: GetOutboxMail): Promise<WholeMail | null> {
    return this.outbox.find(merchantId, id);
  }
}
