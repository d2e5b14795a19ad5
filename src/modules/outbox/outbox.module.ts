import { Module } from '@nestjs/common';
import type { Documents } from '../../kernel/ports/documents';
import { PORTS } from '../../kernel/ports/injection';
import { OutboxReader } from './outbox-reader';
import { GetOutboxMailHandler } from './queries/get-outbox-mail.query';
import { ListOutboxHandler } from './queries/list-outbox.query';

@Module({
  providers: [
    {
      provide: OutboxReader,
      useFactory: (documents: Documents) => OutboxReader.open(documents),
      inject: [PORTS.documents],
    },
    GetOutboxMailHandler,
    ListOutboxHandler,
  ],
})
export class OutboxModule {}
