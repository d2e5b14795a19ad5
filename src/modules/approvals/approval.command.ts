import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { PlatformContext } from '../../kernel/command-context';
import { PORTS } from '../../kernel/ports/injection';
import type { SecretBox } from '../../kernel/ports/secret-box';
import { WritePath } from '../../kernel/write-path';
import type { AdminActor } from '../../vocabulary/admin-roles';
import { refuse } from '../../vocabulary/errors';
import { commandId, isId } from '../../vocabulary/ids';
import { approvals } from './approval.decider';
import type { DifferenceRow } from './approval.events';
import type { ProposedAction } from './proposed-action';

/** An administrator asks another one to approve an action. Answers the approval's id. */
export class ProposeAction extends Command<string> {
  constructor(
    readonly action: ProposedAction,
    readonly difference: readonly DifferenceRow[],
    readonly admin: AdminActor,
    readonly context: PlatformContext<'platform'>,
  ) {
    super();
  }
}

/** Another administrator lets the action happen once, or stops it; the proposer may take it back. */
export class DecideAction extends Command<void> {
  constructor(
    readonly approvalId: string,
    readonly decision: 'approve' | 'deny' | 'withdraw',
    readonly note: string,
    readonly admin: AdminActor,
    readonly context: PlatformContext<'platform'>,
  ) {
    super();
  }
}

@CommandHandler(ProposeAction)
export class ProposeActionHandler implements ICommandHandler<ProposeAction> {
  constructor(
    private readonly writes: WritePath,
    @Inject(PORTS.secretBox) private readonly secretBox: SecretBox,
  ) {}

  /** Throws Refusal permission_denied or second_approval_not_required. */
  async execute({ action, difference, admin, context }: ProposeAction): Promise<string> {
    const id = commandId('apr', context.startedAt, await this.secretBox.deriveKey('ids'), context.commandId);
    await this.writes.execute(approvals, id, { type: 'propose', action, difference, admin }, context);
    return id;
  }
}

@CommandHandler(DecideAction)
export class DecideActionHandler implements ICommandHandler<DecideAction> {
  constructor(private readonly writes: WritePath) {}

  /**
   * Throws Refusal unknown_action, permission_denied, role_may_propose_only, self_approval_forbidden, invalid_reason
   * naming `note`, action_expired or action_not_pending.
   */
  async execute({ approvalId, decision, note, admin, context }: DecideAction): Promise<void> {
    if (!isId('apr', approvalId)) throw refuse('unknown_action');
    await this.writes.execute(approvals, approvalId, { type: decision, admin, note }, context);
  }
}
