import type { Aggregate } from '../../kernel/write-path';
import { refuse } from '../../vocabulary/errors';
import { isUserRole, type UserRole } from '../../vocabulary/roles';
import { lastOwner } from '../merchants/owner-terms';
import { decideCredentials, type CredentialCommand } from './credentials';
import type { UserEvent, UserRegistered, UserSignedUp } from './user.events';
import { accountOf, evolve, personOf, type Active, type User } from './user.state';
import { userUpcasts } from './user.upcast';

type Invitation = { readonly merchant_id: string; readonly email: string; readonly role: UserRole };

export type UserCommand =
  | { readonly type: 'register'; readonly user: UserRegistered['data'] }
  | { readonly type: 'sign_up'; readonly user: UserSignedUp['data'] }
  | { readonly type: 'invite'; readonly invitation: Invitation }
  | { readonly type: 'withdraw_invitation' }
  | {
      readonly type: 'accept';
      readonly invitation: Invitation;
      readonly name: string;
      readonly passwordHash: string;
    }
  /** `releasedTerm` is the term in which the merchant can do without this owner; null where none was released. */
  | { readonly type: 'give_role'; readonly role: UserRole; readonly releasedTerm: number | null }
  | { readonly type: 'disable'; readonly releasedTerm: number | null }
  | { readonly type: 'enable' }
  | CredentialCommand;

/** Throws Refusal invalid_role. */
export function checkedRole(role: string): UserRole {
  if (isUserRole(role)) return role;
  throw refuse('invalid_role', { param: 'role', message: 'There is no such role.' });
}

function decide(command: UserCommand, state: User): readonly UserEvent[] {
  switch (command.type) {
    case 'register':
      if (state.status !== 'none') throw emailTaken();
      return [{ type: 'UserRegistered', data: command.user }];
    case 'sign_up':
      // The address is the signer's, so no invitation by somebody else holds the address.
      if (accountOf(state)) throw emailTaken();
      return [{ type: 'UserSignedUp', data: command.user }];
    case 'invite':
      if (accountOf(state)) throw emailTaken();
      return isSameInvitation(state, command.invitation) ? [] : [{ type: 'UserInvited', data: command.invitation }];
    case 'withdraw_invitation':
      if (state.status === 'none') throw refuse('resource_missing');
      if (state.status === 'withdrawn') return [];
      if (state.status !== 'invited') throw hasJoined();
      return [{ type: 'InvitationWithdrawn', data: {} }];
    case 'accept':
      return accept(command, state);
    case 'give_role':
      return giveRole(command, state);
    case 'disable': {
      accountIn(state);
      if (state.status === 'disabled') return [];
      if (state.status === 'active') checkReleased(state, command.releasedTerm);
      return [{ type: 'UserDisabled', data: {} }];
    }
    case 'enable':
      accountIn(state);
      return state.status === 'disabled' ? [{ type: 'UserEnabled', data: {} }] : [];
    default:
      return decideCredentials(command, activeOf(state));
  }
}

/**
 * A link of an older invitation counts also where another merchant has invited the address since: the person chooses.
 * So the invitation that was taken is told again.
 */
function accept(
  { invitation, name, passwordHash }: Extract<UserCommand, { type: 'accept' }>,
  state: User,
): readonly UserEvent[] {
  const person = personOf(state);
  if (person === null || person.status === 'active') throw refuse('invalid_state_transition');
  const isWithdrawn = person.status === 'withdrawn' && person.merchantId === invitation.merchant_id;
  if (isWithdrawn) throw refuse('invalid_state_transition');
  const accepted: UserEvent = { type: 'InvitationAccepted', data: { name, password_hash: passwordHash } };
  if (isSameInvitation(state, invitation)) return [accepted];
  return [{ type: 'UserInvited', data: invitation }, accepted];
}

function isSameInvitation(state: User, { merchant_id, role }: Invitation): boolean {
  return state.status === 'invited' && state.merchantId === merchant_id && state.role === role;
}

/** The role of an invitation stands in its mail: another role needs another invitation. */
function giveRole(
  { role, releasedTerm }: Extract<UserCommand, { type: 'give_role' }>,
  state: User,
): readonly UserEvent[] {
  const account = accountIn(state);
  if (account.role === role) return [];
  if (state.status === 'active') checkReleased(state, releasedTerm);
  return [{ type: 'RoleGiven', data: { role } }];
}

/** Throws Refusal resource_missing, or invalid_state_transition for somebody who has not joined. */
function accountIn(state: User): Active {
  const account = accountOf(state);
  if (account !== null) return account;
  if (state.status === 'none') throw refuse('resource_missing');
  throw refuse('invalid_state_transition', { message: 'This person has not joined: there is only an invitation.' });
}

function hasJoined(): Error {
  return refuse('invalid_state_transition', { message: 'This person has joined: there is no invitation any more.' });
}

/** The merchant's stream says which owner may go, so that two owners cannot remove each other at once. */
function checkReleased(user: Active, releasedTerm: number | null): void {
  if (user.role === 'owner' && user.ownerTerm !== releasedTerm)
    throw lastOwner('This is the last owner of the account.');
}

function activeOf(state: User): Active {
  if (state.status === 'active') return state;
  throw refuse(state.status === 'none' ? 'resource_missing' : 'invalid_state_transition');
}

export function emailTaken(): Error {
  return refuse('parameter_invalid', { param: 'email', message: 'This e-mail address is registered already.' });
}

export const users: Aggregate<User, UserCommand, UserEvent> = {
  category: 'user',
  // The id follows from the address, so a user's stream can be of any merchant: each command looks whose user it is.
  notFound: null,
  initial: { status: 'none' },
  decide,
  evolve,
  upcasts: userUpcasts,
};
