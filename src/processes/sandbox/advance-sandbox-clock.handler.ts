import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { AdvanceSandboxClock } from '../../modules/sandbox/commands/advance-sandbox-clock.command';
import { SandboxTime } from './sandbox-time';

@CommandHandler(AdvanceSandboxClock)
export class AdvanceSandboxClockHandler implements ICommandHandler<AdvanceSandboxClock> {
  constructor(private readonly time: SandboxTime) {}

  async execute({ goal, context }: AdvanceSandboxClock): Promise<void> {
    await this.time.advance(goal, context);
  }
}
