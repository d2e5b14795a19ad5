import { Module } from '@nestjs/common';
import type { Documents } from '../../kernel/ports/documents';
import { PORTS } from '../../kernel/ports/injection';
import { SetNotificationsHandler } from './set-notifications.command';
import { GetNotificationsHandler } from './queries/get-notifications.query';
import { GetOutboxMailHandler, ListOutboxHandler, OutboxReader } from './queries/outbox-reader';

@Module({
  providers: [
    {
      provide: OutboxReader,
      useFactory: (documents: Documents) => OutboxReader.open(documents),
      inject: [PORTS.documents],
    },
    GetOutboxMailHandler,
    ListOutboxHandler,
    GetNotificationsHandler,
    SetNotificationsHandler,
  ],
})
export class OutboxModule {}
