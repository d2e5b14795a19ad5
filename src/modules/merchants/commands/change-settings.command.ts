import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { AccountContext } from '../../../kernel/command-context';
import { WritePath } from '../../../kernel/write-path';
import { merchants } from '../merchant.decider';
import type { SettingsChanges } from '../merchant-settings';

/** Settings hold for both modes. */
export class ChangeSettings extends Command<void> {
  constructor(
    readonly changes: SettingsChanges,
    readonly context: AccountContext,
  ) {
    super();
  }
}

@CommandHandler(ChangeSettings)
export class ChangeSettingsHandler implements ICommandHandler<ChangeSettings> {
  constructor(private readonly writePath: WritePath) {}

  async execute({ changes, context }: ChangeSettings): Promise<void> {
    const change = { type: 'change_settings', changes } as const;
    await this.writePath.execute(merchants, context.merchantId, change, context);
  }
}
