import { unreachable } from '../../kernel/invariant';
import type { RecordedEvent } from '../../kernel/event';
import type { CredentialEvent } from './user.events';

/** The part of a person's document that tells how the person signs in, which never leaves the service. */
export type CredentialDocument = {
  readonly status: 'invited' | 'withdrawn' | 'active' | 'disabled';
  /** Null until a mailed link was used. */
  readonly email_verified_at: string | null;
  /** Null until an invitation is accepted. */
  readonly password_hash: string | null;
  readonly password_changed_at: string | null;
  readonly totp_secret_sealed: string | null;
  readonly totp_enrolled_at: string | null;
  /** Whether one-time codes of the person count: an authenticator is enrolled, and the person is active. */
  readonly shows_codes: boolean;
  readonly recovery_codes_left: number;
  readonly passkeys: readonly {
    readonly id: string;
    readonly credential_hash: string;
    readonly name: string;
    readonly added_at: string;
  }[];
};

export const NOTHING_ENROLLED_YET = {
  totp_secret_sealed: null,
  totp_enrolled_at: null,
  shows_codes: false,
  recovery_codes_left: 0,
  passkeys: [],
} as const satisfies Partial<CredentialDocument>;

/** The document after an event of the person's own means to sign in. */
export function withCredentials<Body extends CredentialDocument>(
  doc: Body | null,
  event: RecordedEvent<CredentialEvent>,
): Body | null {
  return doc && withCodes({ ...doc, ...changesOf(doc, event) });
}

/** Codes of a person who is not active count for nothing. */
export function withCodes<Body extends CredentialDocument>(doc: Body): Body {
  return { ...doc, shows_codes: doc.status === 'active' && doc.totp_secret_sealed !== null };
}

function changesOf(doc: CredentialDocument, event: RecordedEvent<CredentialEvent>): Partial<CredentialDocument> {
  const { occurred_at: at } = event.metadata;
  switch (event.type) {
    case 'PasswordChanged': {
      // A reset goes by a mailed link, so the address is the person's.
      const isReset = event.data.reason === 'reset';
      const email_verified_at = doc.email_verified_at ?? (isReset ? at : null);
      return { password_hash: event.data.password_hash, password_changed_at: at, email_verified_at };
    }
    case 'TotpEnrolled':
      return { totp_secret_sealed: event.data.totp_secret_sealed, totp_enrolled_at: at };
    case 'RecoveryCodesMade':
      return { recovery_codes_left: event.data.code_hashes.length };
    case 'RecoveryCodeUsed':
      return { recovery_codes_left: doc.recovery_codes_left - 1 };
    case 'AuthenticatorReset':
      return NOTHING_ENROLLED_YET;
    case 'PasskeyAdded': {
      const { passkey_id: id, credential_hash, name } = event.data;
      return { passkeys: [...doc.passkeys, { id, credential_hash, name, added_at: at }] };
    }
    case 'PasskeyRemoved':
      return { passkeys: doc.passkeys.filter(({ id }) => id !== event.data.passkey_id) };
    default:
      return unreachable(event);
  }
}
