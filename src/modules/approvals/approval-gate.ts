import { parseIsoTime } from '../../kernel/clock';
import { withCommand, type PlatformContext } from '../../kernel/command-context';
import { invariant } from '../../kernel/invariant';
import { outageOf } from '../../kernel/outage';
import type { ReadModels } from '../../kernel/ports/read-models';
import type { WritePath } from '../../kernel/write-path';
import { isFourEyes, mayExecute, type AdminActor, type AdminPermission } from '../../vocabulary/admin-roles';
import { isRefusal, refuse } from '../../vocabulary/errors';
import { isId } from '../../vocabulary/ids';
import { adminsReadModel } from '../admins/admins.read-model';
import { assertMayExecute } from './admin-rights';
import { approvals } from './approval.decider';
import type { ApprovalState } from './approval.state';
import type { ProposedAction } from './proposed-action';

export type AskedAction = ProposedAction & {
  readonly admin: AdminActor;
  /** `apr_…` as the request names it; null where it names none. */
  readonly approvalId: string | null;
  readonly context: PlatformContext<'platform'>;
};

/** The context of the action's command, and the two people behind it; one administrator alone stands there as both. */
export type Execution = {
  readonly context: PlatformContext<'platform'>;
  /** Null for an action that needs no second administrator. */
  readonly eyes: { readonly proposedBy: string; readonly approvedBy: string } | null;
};

type Begun = { readonly attempt: number; readonly execution: Execution };

/** Lets an action of four eyes through once, by an approval of this very action; any other action by its role alone. */
export class ApprovalGate {
  constructor(
    private readonly writes: Pick<WritePath, 'execute' | 'executePlan'>,
    private readonly readModels: Pick<ReadModels, 'get'>,
  ) {}

  /**
   * `act` runs a command under the id that it is given. All executions of an approval have one such id. So a command
   * whose process died in the middle of it is found, and not run twice. Throws Refusal permission_denied,
   * role_may_propose_only, second_approval_not_required, second_approval_required, the refusals of an approval that
   * cannot be used, and those of `act`.
   */
  async run<Result>(asked: AskedAction, act: (execution: Execution) => Promise<Result>): Promise<Result> {
    assertMayExecute(asked.admin, asked.permission);
    if (!isFourEyes(asked.permission)) {
      if (asked.approvalId !== null) throw refuse('second_approval_not_required', { param: 'approval_id' });
      return act({ context: asked.context, eyes: null });
    }
    if (asked.approvalId === null) throw refuse('second_approval_required', { param: 'approval_id' });
    const { attempt, execution } = await this.begin(asked, asked.approvalId);
    const result = await this.carriedOut(act, asked, execution, attempt);
    await this.end(asked, { type: 'succeed', attempt });
    return result;
  }

  private async begin({ permission, target, body, admin, context }: AskedAction, id: string): Promise<Begun> {
    if (!isId('apr', id)) throw refuse('unknown_approval', { param: 'approval_id' });
    const own = withCommand(context, 'begin');
    const action = { permission, target, body };
    const { state } = await this.writes.executePlan(
      approvals,
      id,
      (_, approverMay: boolean) => {
        const command = { type: 'begin', action, admin, approverMay } as const;
        return { command, context: own };
      },
      own,
      { readsFirst: true, find: approval => this.approverMay(approval.state, permission) },
    );
    invariant(state.status === 'executing', `${id} is not being carried out`);
    const { proposedBy, approvedBy, approvedAt, attempts: attempt } = state;
    // The ids of created objects follow from the command's id and beginning, which are the approval's own.
    const acting = { ...context, commandId: id, startedAt: parseIsoTime(approvedAt), isFirstTry: false };
    return { attempt, execution: { context: acting, eyes: { proposedBy, approvedBy } } };
  }

  /** False where the approver was disabled since, or was given a role that does not approve this. */
  private async approverMay(approval: ApprovalState, permission: AdminPermission): Promise<boolean> {
    if (!('approvedBy' in approval)) return true;
    const approver = await this.readModels.get(adminsReadModel, 'platform', approval.approvedBy);
    if (!approver) return true;
    const { state, role } = approver.body;
    return state.status === 'active' && mayExecute(role, permission);
  }

  private async carriedOut<Result>(
    act: (execution: Execution) => Promise<Result>,
    asked: AskedAction,
    execution: Execution,
    attempt: number,
  ): Promise<Result> {
    try {
      return await act(execution);
    } catch (error) {
      // Whether an engine that is away has taken the command is unknown: the lease runs out instead.
      if (outageOf(error) !== 'engine') await this.handBack(asked, attempt, error);
      throw error;
    }
  }

  private async handBack(asked: AskedAction, attempt: number, fault: unknown): Promise<void> {
    const refusal = isRefusal(fault) ? fault.code : 'internal_error';
    try {
      await this.end(asked, { type: 'hand_back', attempt, refusal });
    } catch {
      // The administrator is told of the action's own fault. The lease ends by time.
    }
  }

  private async end({ approvalId, context }: AskedAction, command: Parameters<typeof approvals.decide>[0]) {
    invariant(approvalId !== null, 'an execution has its approval');
    await this.writes.execute(approvals, approvalId, command, withCommand(context, command.type));
  }
}
