import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { MerchantContext } from '../../../kernel/command-context';
import { WritePath } from '../../../kernel/write-path';
import { refuse } from '../../../vocabulary/errors';
import type { SettingsFacts } from '../../../vocabulary/settings-facts';
import { merchants } from '../merchant.decider';
import { factsOf, type SettingsChanges } from '../merchant-settings';
import { merchantSettings } from '../merchant-settings.decider';

/** Changes the settings of the context's mode, and answers all of them. */
export class ChangeSettings extends Command<SettingsFacts> {
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

  async execute({ changes, context }: ChangeSettings): Promise<SettingsFacts> {
    const { merchantId } = context;
    const { state } = await this.writePath.load(merchants, 'platform', merchantId);
    if (state.status === 'none') throw refuse('merchant_not_found');
    const change = { type: 'change', changes, starting: state.settings } as const;
    const changed = await this.writePath.execute(merchantSettings, merchantId, change, context);
    return factsOf(changed.state ?? state.settings);
  }
}
