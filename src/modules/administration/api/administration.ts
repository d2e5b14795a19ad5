import type { CommandBus } from '@nestjs/cqrs';
import type { PlatformContext } from '../../../kernel/command-context';
import {
  ADMIN_PERMISSIONS,
  ADMIN_ROLES,
  adminPermits,
  isAdminPermission,
  isFourEyes,
  mayExecute,
  type AdminActor,
  type AdminPermission,
} from '../../../vocabulary/admin-roles';
import { refuse } from '../../../vocabulary/errors';
import type { JsonObject } from '../../../vocabulary/json';
import { assertMayExecute } from '../../approvals/admin-rights';
import type { ApprovalGate } from '../../approvals/approval-gate';
import type { DifferenceRow } from '../../approvals/approval.events';
import { ProposeAction } from '../../approvals/approval.command';
import type { ActionReads, ActionWords, AdminAction } from './admin-action';
import { proposableAction } from './admin-actions';

/** The administrator of a request, with the context of the request's commands. */
export type AdminOfRequest = { readonly admin: AdminActor; readonly context: PlatformContext<'platform'> };

/** An action as it was sent: `id` is the path's, null where the path has none. */
type SentAction = { readonly id: string | null; readonly body: JsonObject };

export type ActionPreview = ActionWords & {
  readonly difference: readonly DifferenceRow[];
  /** The roles that have to approve, in words. */
  readonly approval: string;
};

type CarriedOut = { readonly target: string; readonly made: string | null };

/**
 * The one way by which administrators act. The checks come in this order: permission, body, approval, and the state of
 * the object.
 */
export class Administration {
  constructor(
    private readonly gate: ApprovalGate,
    private readonly commands: Pick<CommandBus, 'execute'>,
    private readonly reads: ActionReads,
  ) {}

  /** Throws the refusals of ApprovalGate.run, of the body's rules, of an unknown object and of the command. */
  async carryOut(action: AdminAction, { id, body: sent }: SentAction, { admin, context }: AdminOfRequest) {
    const { permission } = action;
    assertMayExecute(admin, permission);
    const { target, command } = action.plan(this.reads, id, sent);
    const { approval_id: approvalId = null, ...body } = sent;
    const asked = {
      permission,
      target,
      body,
      admin,
      context,
      approvalId: approvalId === null ? null : String(approvalId),
    };
    return this.gate.run(asked, async (execution): Promise<CarriedOut> => {
      const answer = await this.commands.execute(await command(execution));
      return { target, made: typeof answer === 'string' ? answer : null };
    });
  }

  /** The object of an action, be it in the path or in the body. Throws the refusals of the body's rules. */
  targetOf(action: AdminAction, { id, body }: SentAction): string {
    return action.plan(this.reads, id, body).target;
  }

  /** The action in words, as things stand. Throws the refusals of the body's rules and of the object. */
  async preview(action: AdminAction, { id, body }: SentAction, admin: AdminActor): Promise<ActionPreview> {
    if (!adminPermits(admin.role, action.permission)) throw refuse('permission_denied');
    const words = await action.plan(this.reads, id, body).preview();
    return { ...words, approval: approvalText(action.permission) };
  }

  /**
   * Answers the approval's id. Throws Refusal unknown_action, permission_denied, second_approval_not_required, and the
   * refusals of `preview`.
   */
  async propose(
    {
      permission,
      target,
      body: sent,
    }: { readonly permission: string; readonly target: string; readonly body: JsonObject },
    { admin, context }: AdminOfRequest,
  ): Promise<string> {
    if (!isAdminPermission(permission)) throw refuse('unknown_action', { param: 'permission' });
    if (!adminPermits(admin.role, permission)) throw refuse('permission_denied');
    if (!isFourEyes(permission)) throw refuse('second_approval_not_required', { param: 'permission' });
    const action = proposableAction(permission, target);
    if (!action) throw refuse('unknown_action', { param: 'permission' });
    const { approval_id: _, ...body } = sent;
    const planned = action.plan(this.reads, target, body);
    if (planned.target !== target) throw refuse('parameter_invalid', { param: 'target' });
    const { difference } = await planned.preview();
    return this.commands.execute(new ProposeAction({ permission, target, body }, difference, admin, context));
  }
}

/** The roles that have to approve an action, in words. */
export function approvalText(permission: AdminPermission): string {
  if (!ADMIN_PERMISSIONS[permission].fourEyes) return 'Nobody else has to approve.';
  const roles = ADMIN_ROLES.filter(role => mayExecute(role, permission)).join(' or ');
  return `Another administrator of the role ${roles} has to approve, within 24 hours.`;
}
