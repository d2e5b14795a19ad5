import type { AdminAction } from '../modules/administration/api/admin-action';
import { ProposeAction } from '../modules/approvals/approval.command';
import { AdminOwners } from '../processes/administrators/admin-owners';
import { refuse } from '../vocabulary/errors';
import type { JsonObject } from '../vocabulary/json';
import type { Answer } from './cli-command';
import { executeCommand } from './nest-commands';
import { operatorContext } from './operator-context';
import type { Toolbox } from './toolbox';

/** As many active owners as it takes for one of them to approve what another one wants. */
const OWNERS_FOR_FOUR_EYES = 2;

type Sent = { readonly action: AdminAction; readonly id: string | null; readonly body: JsonObject };

/**
 * Does what an action of four eyes does, at once. Where two owners are active, the action is proposed instead, and an
 * administrator approves it and carries it out. Throws the refusals of `act`, or of the action's preview.
 */
export async function actOrPropose(
  toolbox: Toolbox,
  { action, id, body }: Sent,
  act: () => Promise<Answer>,
): Promise<Answer> {
  if (!(await needsTwo(toolbox))) return act();
  const { permission } = action;
  const { target, preview } = action.plan(toolbox, id, body);
  const { difference, does } = await preview();
  const context = operatorContext(toolbox);
  // The role that proposes, and neither approves nor carries out.
  const by = { id: context.actor.id, role: 'support' } as const;
  const approval = await executeCommand(
    toolbox,
    new ProposeAction({ permission, target, body }, difference, by, context),
  );
  return {
    json: { approval, permission, target, status: 'pending' },
    lines: [does, `Two owners are active, so this is proposed as ${approval}. An administrator has to approve it.`],
  };
}

/** Throws Refusal second_approval_required, with the way to it, where two owners are active. */
export async function refuseAlone(toolbox: Toolbox, message: string): Promise<void> {
  if (await needsTwo(toolbox)) throw refuse('second_approval_required', { message });
}

async function needsTwo({ writes, readModels }: Toolbox): Promise<boolean> {
  return (await new AdminOwners(writes, readModels).others(null)).length >= OWNERS_FOR_FOUR_EYES;
}
