import type { Aggregate } from '../../kernel/write-path';
import { isAdminRole, type AdminRole } from '../../vocabulary/admin-roles';
import { refuse } from '../../vocabulary/errors';
import { lastOwner } from '../merchants/owner-terms';
import { decideCredentials, type CredentialCommand } from '../users/credentials';
import type { AdminBootstrapped, AdminCreated, AdminEvent, AdminInvited } from './admin.events';
import { accountOf, evolve, type ActiveAdmin, type Admin } from './admin.state';

export type AdminCommand =
  | { readonly type: 'bootstrap'; readonly admin: AdminBootstrapped['data'] }
  | { readonly type: 'create'; readonly admin: AdminCreated['data'] }
  | { readonly type: 'invite'; readonly invitation: AdminInvited['data'] }
  | { readonly type: 'accept'; readonly role: AdminRole; readonly name: string; readonly passwordHash: string }
  /** `releasedTerm` is the term in which the operator can do without this owner; null where none was released. */
  | { readonly type: 'give_role'; readonly role: AdminRole; readonly releasedTerm: number | null }
  | { readonly type: 'disable'; readonly reason: string; readonly releasedTerm: number | null }
  | { readonly type: 'enable'; readonly reason: string }
  | CredentialCommand;

/** Throws Refusal invalid_role. */
export function checkedAdminRole(role: string): AdminRole {
  if (isAdminRole(role)) return role;
  throw refuse('invalid_role', { param: 'role' });
}

function decide(command: AdminCommand, state: Admin): readonly AdminEvent[] {
  switch (command.type) {
    case 'bootstrap':
      if (state.status !== 'none') throw emailTaken();
      return [{ type: 'AdminBootstrapped', data: command.admin }];
    case 'create':
      if (state.status !== 'none') throw emailTaken();
      return [{ type: 'AdminCreated', data: command.admin }];
    case 'invite': {
      const { invitation } = command;
      if (accountOf(state)) throw emailTaken();
      const isSame = state.status === 'invited' && state.role === invitation.role;
      return isSame ? [] : [{ type: 'AdminInvited', data: invitation }];
    }
    case 'accept': {
      // The link of an invitation that was withdrawn, taken, or given anew for another role, does nothing.
      if (state.status !== 'invited' || state.role !== command.role) throw refuse('invalid_state_transition');
      const { name, passwordHash: password_hash } = command;
      return [{ type: 'InvitationAccepted', data: { name, password_hash } }];
    }
    case 'give_role':
      return giveRole(command, state);
    case 'disable': {
      if (state.status === 'none') throw refuse('resource_missing');
      if (state.status === 'disabled') return [];
      if (state.status === 'active') checkReleased(state, command.releasedTerm);
      return [{ type: 'AdminDisabled', data: { reason: command.reason } }];
    }
    case 'enable':
      if (state.status === 'none') throw refuse('resource_missing');
      return state.status === 'disabled' ? [{ type: 'AdminEnabled', data: { reason: command.reason } }] : [];
    default:
      return decideCredentials(command, activeOf(state));
  }
}

/** The role of an invitation stands in its mail: another role needs another invitation. */
function giveRole(
  { role, releasedTerm }: Extract<AdminCommand, { type: 'give_role' }>,
  state: Admin,
): readonly AdminEvent[] {
  const account = accountOf(state);
  if (account === null) throw refuse(state.status === 'none' ? 'resource_missing' : 'invalid_state_transition');
  if (account.role === role) return [];
  if (state.status === 'active') checkReleased(state, releasedTerm);
  return [{ type: 'AdminRoleGiven', data: { role } }];
}

/** One stream says which owner may go, so that two owners cannot remove each other at once. */
function checkReleased({ role, ownerTerm }: ActiveAdmin, releasedTerm: number | null): void {
  if (role === 'owner' && ownerTerm !== releasedTerm) throw lastOwner('This is the last owner.');
}

function activeOf(state: Admin): ActiveAdmin {
  if (state.status === 'active') return state;
  throw refuse(state.status === 'none' ? 'resource_missing' : 'invalid_state_transition');
}

function emailTaken(): Error {
  return refuse('parameter_invalid', { param: 'email', message: 'An administrator has this e-mail address already.' });
}

/** An administrator. The stream's id follows from the e-mail address, so the stream decides a race for the address. */
export const admins: Aggregate<Admin, AdminCommand, AdminEvent> = {
  category: 'admin',
  notFound: null,
  initial: { status: 'none' },
  decide,
  evolve,
};
