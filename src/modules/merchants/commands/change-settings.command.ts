import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { MerchantContext } from '../../../kernel/command-context';
import { WritePath } from '../../../kernel/write-path';
import { refuse } from '../../../vocabulary/errors';
import { merchants } from '../merchant.decider';
import type { SettingsChanges } from '../merchant-settings';
import { merchantSettings } from '../merchant-settings.decider';

/** Changes the settings of the context's mode. */
export class ChangeSettings extends Command<void> {
  constructor(
    readonly changes: SettingsChanges,
    readonly context: MerchantContext,
  ) {
    super();
  }
}

@CommandHandler(ChangeSettings)
export class ChangeSettingsHandler implements ICommandHandler<ChangeSettings> {
  constructor(private readonly writePath: WritePath) {}

  async execute({ changes, context }: ChangeSettings): Promise<void> {
    const { merchantId } = context;
    const { state } = await this.writePath.load(merchants, 'platform', merchantId);
    if (state.status === 'none') throw refuse('merchant_not_found');
    const change = { type: 'change', changes, starting: state.settings } as const;
    await this.writePath.execute(merchantSettings, merchantId, change, context);
  }
}
