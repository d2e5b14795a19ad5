import { Command, CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { withCommand, type AccountContext, type PlatformContext } from '../../../kernel/command-context';
import { invariant } from '../../../kernel/invariant';
import { ownerOf, WritePath } from '../../../kernel/write-path';
import { refuse } from '../../../vocabulary/errors';
import { LiftKillSwitch } from '../../kill-switches/kill-switch.command';
import { kybCases } from '../kyb-case.decider';
import { KybDocumentBytes } from '../kyb-document-bytes';
import { KYB_REASON, KYB_STOP } from './kyb-case.command';

/** An operator's word on a submitted case. An approval also lifts the stop of live mode that waits for it. */
export class DecideKybCase extends Command<void> {
  constructor(
    readonly kybCase: string,
    readonly decision: 'approve' | 'reject',
    readonly note: string,
    readonly context: PlatformContext<'platform'>,
  ) {
    super();
  }
}

@CommandHandler(DecideKybCase)
export class DecideKybCaseHandler implements ICommandHandler<DecideKybCase> {
  constructor(
    private readonly writePath: WritePath,
    private readonly commands: CommandBus,
    private readonly bytes: KybDocumentBytes,
  ) {}

  /**
   * A process can die between the approval and the lifting. A second approval then lifts the stop, and is refused only
   * where nothing was left to do. So the plan of an approval lets an approved case stand. Throws Refusal
   * kyb_case_not_found, kyb_case_already_decided, parameter_missing or parameter_invalid naming `note`, and
   * invalid_state_transition for a case that was not submitted.
   */
  async execute({ kybCase, decision, note, context }: DecideKybCase): Promise<void> {
    const isApproval = decision === 'approve';
    const { universe, commandId } = context;
    const { state, history, events } = await this.writePath.executePlan(
      kybCases,
      kybCase,
      loaded => {
        if (loaded.state.status === 'none') throw refuse('kyb_case_not_found');
        if (isApproval && loaded.state.status === 'approved') return null;
        const own = { ...context, merchantId: ownerOf(kybCases, loaded) };
        return { command: { type: decision, note }, context: own };
      },
      { universe, commandId },
    );
    const merchantId = ownerOf(kybCases, { history });
    invariant(merchantId !== null && state.status !== 'none', `${kybCase} was decided, and has a merchant`);
    const isLifted = isApproval && (await this.lift({ ...context, merchantId }));
    if (events.length === 0 && !isLifted) throw refuse('kyb_case_already_decided');
    await this.bytes.removeAbandoned(kybCase, state.documents);
  }

  private lift(own: AccountContext): Promise<boolean> {
    const context = withCommand(own, 'lift');
    return this.commands.execute(new LiftKillSwitch('merchant', own.merchantId, KYB_STOP, KYB_REASON, context));
  }
}
