import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { PlatformContext } from '../../../kernel/command-context';
import { WritePath } from '../../../kernel/write-path';
import type { VelocityLimit } from '../../../vocabulary/payment-limits';
import { velocityLimits } from '../velocity-limit.decider';
import { velocitySubjectOf } from '../velocity-limit-terms';

type Context = PlatformContext<'platform'>;

/** Limits each merchant, each wallet or each payer's address from the next request on, in both modes. */
export class SetVelocityLimit extends Command<void> {
  constructor(
    readonly subject: string,
    readonly limit: VelocityLimit,
    readonly context: Context,
  ) {
    super();
  }
}

export class LiftVelocityLimit extends Command<void> {
  constructor(
    readonly subject: string,
    readonly reason: string,
    readonly context: Context,
  ) {
    super();
  }
}

@CommandHandler(SetVelocityLimit)
export class SetVelocityLimitHandler implements ICommandHandler<SetVelocityLimit> {
  constructor(private readonly writePath: WritePath) {}

  /** Throws Refusal invalid_velocity_subject, invalid_velocity_window or invalid_velocity_limits. */
  async execute({ subject: text, limit, context }: SetVelocityLimit): Promise<void> {
    const subject = velocitySubjectOf(text);
    await this.writePath.execute(velocityLimits, subject, { type: 'set', subject, limit }, context);
  }
}

@CommandHandler(LiftVelocityLimit)
export class LiftVelocityLimitHandler implements ICommandHandler<LiftVelocityLimit> {
  constructor(private readonly writePath: WritePath) {}

  /** Throws Refusal invalid_velocity_subject. A kind without a limit has nothing to lift. */
  async execute({ subject: text, reason, context }: LiftVelocityLimit): Promise<void> {
    const subject = velocitySubjectOf(text);
    await this.writePath.execute(velocityLimits, subject, { type: 'lift', subject, reason }, context);
  }
}
