import type { UserRole } from '../../vocabulary/roles';

/**
 * An owner whom the operator has made. The secret is sealed for this user's id; the password's text holds its own
 * parameters.
 */
export type UserRegistered = {
  readonly type: 'UserRegistered';
  readonly data: {
    readonly merchant_id: string;
    readonly email: string;
    readonly password_hash: string;
    readonly totp_secret_sealed: string;
  };
};

/** An owner who has opened an account by a mailed link, so the address is the owner's. */
export type UserSignedUp = {
  readonly type: 'UserSignedUp';
  readonly data: {
    readonly merchant_id: string;
    readonly email: string;
    readonly name: string;
    readonly password_hash: string;
  };
};

type UserInvited = {
  readonly type: 'UserInvited';
  readonly data: { readonly merchant_id: string; readonly email: string; readonly role: UserRole };
};
/** The link of the mail does nothing from then on. The address is free for another invitation. */
type InvitationWithdrawn = { readonly type: 'InvitationWithdrawn'; readonly data: Readonly<Record<string, never>> };
export type InvitationAccepted = {
  readonly type: 'InvitationAccepted';
  readonly data: { readonly name: string; readonly password_hash: string };
};

export type PasswordChanged = {
  readonly type: 'PasswordChanged';
  readonly data: { readonly password_hash: string; readonly reason: 'changed' | 'reset' };
};
export type TotpEnrolled = { readonly type: 'TotpEnrolled'; readonly data: { readonly totp_secret_sealed: string } };
/** SHA-256 of each code. All earlier codes end. */
type RecoveryCodesMade = {
  readonly type: 'RecoveryCodesMade';
  readonly data: { readonly code_hashes: readonly string[] };
};
type RecoveryCodeUsed = { readonly type: 'RecoveryCodeUsed'; readonly data: { readonly code_hash: string } };
/** The operator has ended the authenticator, the recovery codes and the passkeys of a person who has lost them. */
type AuthenticatorReset = { readonly type: 'AuthenticatorReset'; readonly data: { readonly reason: string } };
type RoleGiven = { readonly type: 'RoleGiven'; readonly data: { readonly role: UserRole } };
type UserDisabled = { readonly type: 'UserDisabled'; readonly data: Readonly<Record<string, never>> };
type UserEnabled = { readonly type: 'UserEnabled'; readonly data: Readonly<Record<string, never>> };
/** The user's stream counts the passkeys; the passkey's own stream has its facts. */
export type PasskeyAdded = {
  readonly type: 'PasskeyAdded';
  readonly data: { readonly passkey_id: string; readonly credential_hash: string; readonly name: string };
};
type PasskeyRemoved = { readonly type: 'PasskeyRemoved'; readonly data: { readonly passkey_id: string } };

/** The events of a person's own means to sign in. */
export type CredentialEvent =
  | PasswordChanged
  | TotpEnrolled
  | RecoveryCodesMade
  | RecoveryCodeUsed
  | AuthenticatorReset
  | PasskeyAdded
  | PasskeyRemoved;

export type UserEvent =
  | UserRegistered
  | UserSignedUp
  | UserInvited
  | InvitationWithdrawn
  | InvitationAccepted
  | RoleGiven
  | UserDisabled
  | UserEnabled
  | CredentialEvent;
