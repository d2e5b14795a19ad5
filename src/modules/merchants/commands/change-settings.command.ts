import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { CommandContext } from '../../../kernel/command-context';
import { WritePath } from '../../../kernel/write-path';
import { merchants } from '../merchant.decider';

/** Null leaves a setting as it is. `context` is of the universe `platform`: settings hold for both modes. */
export class ChangeSettings extends Command<void> {
  constructor(
    readonly toleranceBps: number | null,
    readonly enabledTokens: readonly string[] | null,
    readonly context: CommandContext & { readonly merchantId: string },
  ) {
    super();
  }
}

@CommandHandler(ChangeSettings)
export class ChangeSettingsHandler implements ICommandHandler<ChangeSettings> {
  constructor(private readonly writePath: WritePath) {}

  async execute({ toleranceBps, enabledTokens, context }: ChangeSettings): Promise<void> {
    const change = { type: 'change_settings', toleranceBps, enabledTokens } as const;
    await this.writePath.execute(merchants, context.merchantId, change, context);
  }
}
