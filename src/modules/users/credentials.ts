import { unreachable } from '../../kernel/invariant';
import { refuse } from '../../vocabulary/errors';
import { checkedReason } from '../../vocabulary/reasons';
import type { CredentialEvent, PasskeyAdded, PasswordChanged } from './user.events';

export const MAX_PASSKEYS = 10;

type Passkey = { readonly id: string; readonly credentialHash: string };

/** The means by which a person signs in, whichever side of the service the person belongs to. */
export type Credentials = {
  readonly passwordHash: string;
  /** Null until an authenticator is enrolled. */
  readonly totpSecretSealed: string | null;
  /** SHA-256 of the recovery codes that are left. */
  readonly recoveryCodes: readonly string[];
  /** Whether a recovery code stood in for the authenticator that is enrolled now. */
  readonly hasRecovered: boolean;
  readonly passkeys: readonly Passkey[];
};

export const NOTHING_ENROLLED = {
  totpSecretSealed: null,
  recoveryCodes: [],
  hasRecovered: false,
  passkeys: [],
} as const satisfies Omit<Credentials, 'passwordHash'>;

export type CredentialCommand =
  | {
      readonly type: 'change_password';
      readonly passwordHash: string;
      readonly reason: PasswordChanged['data']['reason'];
    }
  | {
      readonly type: 'enrol_totp';
      readonly secretSealed: string;
      /** The sealed secret that the new one was offered to replace; null for none. */
      readonly replaces: string | null;
      readonly codeHashes: readonly string[];
    }
  | { readonly type: 'make_recovery_codes'; readonly codeHashes: readonly string[] }
  | { readonly type: 'use_recovery_code'; readonly codeHash: string }
  | { readonly type: 'reset_authenticator'; readonly reason: string }
  | { readonly type: 'add_passkey'; readonly passkey: PasskeyAdded['data'] }
  | { readonly type: 'remove_passkey'; readonly passkeyId: string };

export function decideCredentials(command: CredentialCommand, person: Credentials): readonly CredentialEvent[] {
  switch (command.type) {
    case 'change_password': {
      const { passwordHash: password_hash, reason } = command;
      return [{ type: 'PasswordChanged', data: { password_hash, reason } }];
    }
    case 'enrol_totp': {
      // Another person who knows the password may have begun an enrolment first.
      if (person.totpSecretSealed !== command.replaces) throw refuse('mfa_proof_invalid');
      const enrolled: CredentialEvent = { type: 'TotpEnrolled', data: { totp_secret_sealed: command.secretSealed } };
      return needsRecoveryCodes(person) ? [enrolled, codesMade(command.codeHashes)] : [enrolled];
    }
    case 'make_recovery_codes':
      if (person.totpSecretSealed === null) throw refuse('invalid_state_transition');
      return [codesMade(command.codeHashes)];
    case 'use_recovery_code':
      if (!person.recoveryCodes.includes(command.codeHash)) throw refuse('mfa_proof_invalid');
      return [{ type: 'RecoveryCodeUsed', data: { code_hash: command.codeHash } }];
    case 'reset_authenticator':
      return hasEnrolled(person)
        ? [{ type: 'AuthenticatorReset', data: { reason: checkedReason(command.reason) } }]
        : [];
    case 'add_passkey': {
      const { passkey } = command;
      // The session that adds one may have begun before a reset, which ends all ways to sign in but the password.
      if (person.totpSecretSealed === null) throw refuse('invalid_state_transition');
      if (person.passkeys.some(({ credentialHash }) => credentialHash === passkey.credential_hash))
        throw refuse('passkey_already_registered');
      if (person.passkeys.length >= MAX_PASSKEYS) throw refuse('too_many_passkeys');
      return [{ type: 'PasskeyAdded', data: passkey }];
    }
    case 'remove_passkey':
      if (!person.passkeys.some(({ id }) => id === command.passkeyId)) throw refuse('unknown_passkey');
      return [{ type: 'PasskeyRemoved', data: { passkey_id: command.passkeyId } }];
    default:
      return unreachable(command);
  }
}

/** The changes that the event makes. */
export function evolveCredentials(person: Credentials, event: CredentialEvent): Partial<Credentials> {
  switch (event.type) {
    case 'PasswordChanged':
      return { passwordHash: event.data.password_hash };
    case 'TotpEnrolled':
      return { totpSecretSealed: event.data.totp_secret_sealed, hasRecovered: false };
    case 'RecoveryCodesMade':
      return { recoveryCodes: event.data.code_hashes };
    case 'RecoveryCodeUsed': {
      const recoveryCodes = person.recoveryCodes.filter(hash => hash !== event.data.code_hash);
      return { recoveryCodes, hasRecovered: true };
    }
    case 'AuthenticatorReset':
      return NOTHING_ENROLLED;
    case 'PasskeyAdded': {
      const added = { id: event.data.passkey_id, credentialHash: event.data.credential_hash };
      return { passkeys: [...person.passkeys, added] };
    }
    case 'PasskeyRemoved':
      return { passkeys: person.passkeys.filter(({ id }) => id !== event.data.passkey_id) };
    default:
      return unreachable(event);
  }
}

function hasEnrolled({ totpSecretSealed, recoveryCodes, passkeys }: Credentials): boolean {
  return totpSecretSealed !== null || recoveryCodes.length > 0 || passkeys.length > 0;
}

/** Whether an enrolment makes new recovery codes. */
function needsRecoveryCodes(person: Credentials): boolean {
  return person.hasRecovered || person.recoveryCodes.length === 0;
}

function codesMade(code_hashes: readonly string[]): CredentialEvent {
  return { type: 'RecoveryCodesMade', data: { code_hashes } };
}
