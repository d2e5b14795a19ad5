import { invariant } from '../kernel/invariant';
import type { AdminAction } from '../modules/administration/api/admin-action';
import { ProposeAction } from '../modules/approvals/approval.command';
import { approvals } from '../modules/approvals/approval.decider';
import { shownStatus, type ShownStatus } from '../modules/approvals/approval.state';
import { actionHash, type ProposedAction } from '../modules/approvals/proposed-action';
import { AdminOwners } from '../processes/administrators/admin-owners';
import { refuse } from '../vocabulary/errors';
import type { JsonObject } from '../vocabulary/json';
import type { Answer } from './cli-command';
import { executeCommand } from './nest-commands';
import { operatorContext } from './operator-context';
import type { Toolbox } from './toolbox';

type Sent = {
  readonly action: AdminAction;
  readonly id: string | null;
  readonly body: JsonObject;
  /** The command's own id, where the same command may be run again: then the former proposal stands for it. */
  readonly commandId?: string;
};

/**
 * Does what an action of four eyes does, at once. Where two owners are active, the action is proposed instead, and an
 * administrator approves it and carries it out. Throws the refusals of `act`, or of the action's preview.
 */
export async function actOrPropose(
  toolbox: Toolbox,
  { action, id, body, commandId }: Sent,
  act: () => Promise<Answer>,
): Promise<Answer> {
  if (!(await haveFourEyes(toolbox))) return act();
  const { permission } = action;
  const { target, preview } = action.plan(toolbox, id, body);
  const { difference, does } = await preview();
  const own = operatorContext(toolbox);
  // The approval's id follows from the command's id and beginning.
  const context = commandId === undefined ? own : { ...own, commandId, startedAt: 0 };
  // The role that proposes, and neither approves nor carries out.
  const admin = { id: context.actor.id, role: 'support' } as const;
  const asked = { permission, target, body };
  const approval = await executeCommand(toolbox, new ProposeAction(asked, difference, admin, context));
  const status = await statusOf(toolbox, approval, asked);
  const next =
    status === 'pending' ? 'An administrator has to approve it.' : `It was proposed before, and is ${status}.`;
  return {
    json: { approval, permission, target, status },
    lines: [does, `Two owners are active, so this is proposed as ${approval}. ${next}`],
  };
}

/**
 * A command that is run again may find that its proposal was decided, or has lapsed. Throws Refusal
 * idempotency_key_reuse where it proposed another action.
 */
async function statusOf({ writes, clock }: Toolbox, approval: string, asked: ProposedAction): Promise<ShownStatus> {
  const { state } = await writes.load(approvals, 'platform', approval);
  invariant(state.status !== 'none', `${approval} is proposed`);
  if (state.bodyHash !== actionHash(asked)) throw refuse('idempotency_key_reuse');
  return shownStatus(state.status, state.expiresAt, clock.now());
}

/** Throws Refusal second_approval_required, with the way to it, where two owners are active. */
export async function refuseAlone(toolbox: Toolbox, message: string): Promise<void> {
  if (await haveFourEyes(toolbox)) throw refuse('second_approval_required', { message });
}

function haveFourEyes({ writes, readModels }: Toolbox): Promise<boolean> {
  return new AdminOwners(writes, readModels).haveFourEyes();
}
