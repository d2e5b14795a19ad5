import type { AdminRole } from '../../vocabulary/admin-roles';
import type { CredentialEvent, InvitationAccepted } from '../users/user.events';

/** The first owner, from the variables of the first start. The secret is sealed for this administrator's id. */
export type AdminBootstrapped = {
  readonly type: 'AdminBootstrapped';
  readonly data: { readonly email: string; readonly password_hash: string; readonly totp_secret_sealed: string };
};

/** Made by the command line. An authenticator is enrolled at the first sign-in. */
export type AdminCreated = {
  readonly type: 'AdminCreated';
  readonly data: { readonly email: string; readonly role: AdminRole; readonly password_hash: string };
};

export type AdminInvited = {
  readonly type: 'AdminInvited';
  readonly data: { readonly email: string; readonly role: AdminRole };
};
type AdminRoleGiven = { readonly type: 'AdminRoleGiven'; readonly data: { readonly role: AdminRole } };
type AdminDisabled = { readonly type: 'AdminDisabled'; readonly data: { readonly reason: string } };
type AdminEnabled = { readonly type: 'AdminEnabled'; readonly data: { readonly reason: string } };

export type AdminEvent =
  | AdminBootstrapped
  | AdminCreated
  | AdminInvited
  | InvitationAccepted
  | AdminRoleGiven
  | AdminDisabled
  | AdminEnabled
  | CredentialEvent;
