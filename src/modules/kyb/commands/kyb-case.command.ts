import { Inject } from '@nestjs/common';
import { Command, CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { withCommand, type AccountContext } from '../../../kernel/command-context';
import { PORTS } from '../../../kernel/ports/injection';
import type { SecretBox } from '../../../kernel/ports/secret-box';
import { WritePath } from '../../../kernel/write-path';
import { refuse } from '../../../vocabulary/errors';
import { SetKillSwitch } from '../../kill-switches/kill-switch.command';
import { loadCurrentCase, loadOpenedCase } from '../current-case';
import { kybCases } from '../kyb-case.decider';
import type { KybBusiness, KybOwner } from '../kyb-case.events';

/** The stop of a merchant that is not verified yet, and the reason in it. */
export const KYB_STOP = { mode: 'live', ground: 'kyb' } as const;
export const KYB_REASON = 'kyb';

/**
 * Stops live mode of a new merchant and opens its first case. Answers the case's id. Safe to repeat: a verified
 * merchant is not stopped again.
 */
export class BeginKyb extends Command<string> {
  constructor(readonly context: AccountContext) {
    super();
  }
}

/**
 * Opens a case after a rejection. Answers the id of the current case. Throws Refusal kyb_case_not_found for a merchant
 * that needs no verification: it never had a case.
 */
export class OpenKybCase extends Command<string> {
  constructor(readonly context: AccountContext) {
    super();
  }
}

/** Hands the facts and the documents of the current case in for review. Nothing of the case changes after that. */
export class SubmitKybCase extends Command<void> {
  constructor(
    readonly business: KybBusiness,
    readonly owners: readonly KybOwner[],
    readonly context: AccountContext,
  ) {
    super();
  }
}

@CommandHandler(BeginKyb)
export class BeginKybHandler implements ICommandHandler<BeginKyb> {
  constructor(
    private readonly writePath: WritePath,
    private readonly commands: CommandBus,
    @Inject(PORTS.secretBox) private readonly secretBox: SecretBox,
  ) {}

  /** The stop comes first: a process that dies before the case leaves a merchant that takes no live payments. */
  async execute({ context }: BeginKyb): Promise<string> {
    const { merchantId } = context;
    const { id, current } = await loadCurrentCase(this.writePath, this.secretBox, merchantId);
    if (current.state.status === 'approved') return id;
    const own = withCommand(context, 'kyb');
    await this.commands.execute(new SetKillSwitch('merchant', merchantId, KYB_STOP, KYB_REASON, own));
    await this.writePath.execute(kybCases, id, { type: 'open', merchantId }, own, current);
    return id;
  }
}

@CommandHandler(OpenKybCase)
export class OpenKybCaseHandler implements ICommandHandler<OpenKybCase> {
  constructor(
    private readonly writePath: WritePath,
    @Inject(PORTS.secretBox) private readonly secretBox: SecretBox,
  ) {}

  async execute({ context }: OpenKybCase): Promise<string> {
    const { merchantId } = context;
    const { id, current, rejected } = await loadCurrentCase(this.writePath, this.secretBox, merchantId);
    if (current.state.status === 'none' && rejected === null) throw refuse('kyb_case_not_found');
    await this.writePath.execute(kybCases, id, { type: 'open', merchantId }, context, current);
    return id;
  }
}

@CommandHandler(SubmitKybCase)
export class SubmitKybCaseHandler implements ICommandHandler<SubmitKybCase> {
  constructor(
    private readonly writePath: WritePath,
    @Inject(PORTS.secretBox) private readonly secretBox: SecretBox,
  ) {}

  /**
   * Throws Refusal parameter_missing, parameter_invalid or parameter_invalid_integer, naming a field such as
   * `business[country]`, or `documents` where there are none. Throws kyb_case_not_found, kyb_case_already_decided, or
   * invalid_state_transition for a case that was submitted before.
   */
  async execute({ business, owners, context }: SubmitKybCase): Promise<void> {
    const { id, current } = await loadOpenedCase(this.writePath, this.secretBox, context.merchantId);
    await this.writePath.execute(kybCases, id, { type: 'submit', business, owners }, context, current);
  }
}
