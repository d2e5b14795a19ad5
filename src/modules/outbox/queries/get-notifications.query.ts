import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { WritePath } from '../../../kernel/write-path';
import type { Mode } from '../../../vocabulary/modes';
import { notifications } from '../notifications.decider';
import { OPTIONAL_MAILS, type OptionalMail } from '../notifications.events';

/** The kinds of mail that a merchant can do without, and whether each is sent. */
export type NotificationsView = readonly { readonly kind: OptionalMail; readonly isMailed: boolean }[];

export class GetNotifications extends Query<NotificationsView> {
  constructor(
    readonly merchantId: string,
    readonly mode: Mode,
  ) {
    super();
  }
}

@QueryHandler(GetNotifications)
export class GetNotificationsHandler implements IQueryHandler<GetNotifications> {
  constructor(private readonly writePath: WritePath) {}

  async execute({ merchantId, mode }: GetNotifications): Promise<NotificationsView> {
    const { state: muted } = await this.writePath.load(notifications, mode, merchantId);
    return OPTIONAL_MAILS.map(kind => ({ kind, isMailed: !muted.includes(kind) }));
  }
}
