import type { RecordedEvent } from '../../kernel/event';
import type { AdminEvent } from '../admins/admin.events';
import type { Credentials } from './credentials';
import type { UserEvent } from './user.events';

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

type PersonEvent = RecordedEvent<UserEvent | AdminEvent>;
type Times = Pick<CredentialDocument, 'email_verified_at' | 'password_changed_at' | 'totp_enrolled_at'> & {
  readonly created: string;
};
type Former = (CredentialDocument & Times) | null;
type Person = { readonly status: CredentialDocument['status']; readonly account: Credentials | null };

/** How a person signs in, by the folded stream. Only times and the names of passkeys follow from the event itself. */
export function credentialsOf({ status, account }: Person, former: Former, event: PersonEvent) {
  const secret = account?.totpSecretSealed ?? null;
  return {
    ...timesOf(former, event),
    status,
    password_hash: account?.passwordHash ?? null,
    totp_secret_sealed: secret,
    shows_codes: status === 'active' && secret !== null,
    recovery_codes_left: account?.recoveryCodes.length ?? 0,
    passkeys: passkeysOf(account, former, event),
  } satisfies CredentialDocument & Times;
}

function passkeysOf(account: Credentials | null, former: Former, event: PersonEvent): CredentialDocument['passkeys'] {
  const known = [...(former?.passkeys ?? [])];
  if (event.type === 'PasskeyAdded') {
    const { passkey_id: id, credential_hash, name } = event.data;
    known.push({ id, credential_hash, name, added_at: event.metadata.occurred_at });
  }
  return known.filter(({ id }) => account?.passkeys.some(passkey => passkey.id === id));
}

function timesOf(former: Former, event: PersonEvent): Times {
  const { occurred_at: at } = event.metadata;
  const {
    created = at,
    email_verified_at = null,
    password_changed_at = null,
    totp_enrolled_at = null,
  }: Partial<Times> = former ?? {};
  const times = { created, email_verified_at, password_changed_at, totp_enrolled_at };
  const begun = { created: at, email_verified_at: null, password_changed_at: at, totp_enrolled_at: null };
  switch (event.type) {
    case 'UserRegistered':
    case 'AdminBootstrapped':
      return { ...begun, totp_enrolled_at: at };
    case 'UserSignedUp':
      return { ...begun, email_verified_at: at };
    case 'AdminCreated':
      return begun;
    case 'UserInvited':
    case 'AdminInvited':
      return { ...begun, password_changed_at: null };
    case 'InvitationAccepted':
      return { ...times, email_verified_at: at, password_changed_at: at };
    case 'PasswordChanged': {
      // A reset goes by a mailed link, so the address is the person's.
      const isReset = event.data.reason === 'reset';
      return { ...times, password_changed_at: at, email_verified_at: email_verified_at ?? (isReset ? at : null) };
    }
    case 'TotpEnrolled':
      return { ...times, totp_enrolled_at: at };
    case 'AuthenticatorReset':
      return { ...times, totp_enrolled_at: null };
    default:
      return times;
  }
}
