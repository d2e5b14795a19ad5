import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { CommandContext } from '../../kernel/command-context';
import { PORTS } from '../../kernel/ports/injection';
import type { ReadModels } from '../../kernel/ports/read-models';
import { WritePath } from '../../kernel/write-path';
import { refuse } from '../../vocabulary/errors';
import { merchantsReadModel } from '../merchants/merchants.read-model';
import { killSwitches, targetOf, type Stop } from './kill-switch.decider';
import { killSwitchId } from './kill-switch.events';

type PlatformCommand = CommandContext & { readonly universe: 'platform' };

/**
 * Stops new payments of a merchant, on a network or in an asset, from the next request on. `subject` is a merchant's
 * id, a network or an asset's symbol, by `scope`.
 */
export class SetKillSwitch extends Command<void> {
  constructor(
    readonly scope: string,
    readonly subject: string,
    readonly stop: Stop,
    readonly reason: string,
    readonly context: PlatformCommand,
  ) {
    super();
  }
}

/** Takes one stop back; those on another ground stay. Answers whether the stop stood. */
export class LiftKillSwitch extends Command<boolean> {
  constructor(
    readonly scope: string,
    readonly subject: string,
    readonly stop: Stop,
    readonly reason: string,
    readonly context: PlatformCommand,
  ) {
    super();
  }
}

@CommandHandler(SetKillSwitch)
export class SetKillSwitchHandler implements ICommandHandler<SetKillSwitch> {
  constructor(
    private readonly writePath: WritePath,
    @Inject(PORTS.readModels) private readonly readModels: ReadModels,
  ) {}

  /**
   * Throws Refusal invalid_killswitch_scope, invalid_killswitch_subject, also for a merchant that does not exist, or
   * invalid_killswitch_reason.
   */
  async execute({ scope, subject, stop, reason, context }: SetKillSwitch): Promise<void> {
    const target = targetOf(scope, subject);
    const isUnknown =
      target.scope === 'merchant' && (await this.readModels.get(merchantsReadModel, 'platform', subject)) === null;
    if (isUnknown) throw refuse('invalid_killswitch_subject', { param: 'subject' });
    const command = { type: 'set', target, stop, reason } as const;
    const merchantId = target.scope === 'merchant' ? subject : null;
    await this.writePath.execute(killSwitches, killSwitchId(target), command, { ...context, merchantId });
  }
}

@CommandHandler(LiftKillSwitch)
export class LiftKillSwitchHandler implements ICommandHandler<LiftKillSwitch> {
  constructor(private readonly writePath: WritePath) {}

  /** Throws the refusals of SetKillSwitch. A merchant without a switch has nothing to lift. */
  async execute({ scope, subject, stop, reason, context }: LiftKillSwitch): Promise<boolean> {
    const target = targetOf(scope, subject);
    const merchantId = target.scope === 'merchant' ? subject : null;
    const command = { type: 'lift', stop, reason } as const;
    const own = { ...context, merchantId };
    const { events } = await this.writePath.execute(killSwitches, killSwitchId(target), command, own);
    return events.length > 0;
  }
}
