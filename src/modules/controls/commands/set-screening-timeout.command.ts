import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { PlatformContext } from '../../../kernel/command-context';
import { WritePath } from '../../../kernel/write-path';
import { screeningSettings } from '../screening-settings.decider';
import { SCREENING_SETTINGS } from '../screening-settings.events';

/** Gives each source so long to answer, from the next screening on. */
export class SetScreeningTimeout extends Command<void> {
  constructor(
    readonly timeoutMs: number,
    readonly context: PlatformContext<'platform'>,
  ) {
    super();
  }
}

@CommandHandler(SetScreeningTimeout)
export class SetScreeningTimeoutHandler implements ICommandHandler<SetScreeningTimeout> {
  constructor(private readonly writePath: WritePath) {}

  /** Throws Refusal invalid_screening_timeout. */
  async execute({ timeoutMs, context }: SetScreeningTimeout): Promise<void> {
    await this.writePath.execute(screeningSettings, SCREENING_SETTINGS, { type: 'set_timeout', timeoutMs }, context);
  }
}
