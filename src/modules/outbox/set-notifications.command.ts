import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { MerchantContext } from '../../kernel/command-context';
import { WritePath } from '../../kernel/write-path';
import { notifications } from './notifications.decider';

/**
 * Leaves out these kinds of mail in the context's mode, and sends all others. Throws Refusal parameter_invalid for a
 * kind that cannot be left out.
 */
export class SetNotifications extends Command<void> {
  constructor(
    readonly muted: readonly string[],
    readonly context: MerchantContext,
  ) {
    super();
  }
}

@CommandHandler(SetNotifications)
export class SetNotificationsHandler implements ICommandHandler<SetNotifications> {
  constructor(private readonly writePath: WritePath) {}

  async execute({ muted, context }: SetNotifications): Promise<void> {
    await this.writePath.execute(notifications, context.merchantId, { type: 'set', muted }, context);
  }
}
