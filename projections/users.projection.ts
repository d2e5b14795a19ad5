import { streamId, type Projection } from '../src/kernel/projection';
import type { UserEvent } from '../src/modules/users/user.events';
import { usersReadModel, type UserDocument } from '../src/modules/users/users.read-model';

const NOTHING_ENROLLED = {
  totp_secret_sealed: null,
  totp_enrolled_at: null,
  shows_codes: false,
  recovery_codes_left: 0,
  passkeys: [],
} as const;

export const usersProjection: Projection<UserDocument, UserEvent> = {
  ...usersReadModel,
  categories: ['user'],
  mirrors: true,
  key: streamId,
  on: {
    UserRegistered: (_, { data, metadata: { mode, occurred_at } }): UserDocument => ({
      ...data,
      mode,
      name: null,
      role: 'owner',
      status: 'active',
      email_verified_at: null,
      password_changed_at: occurred_at,
      totp_enrolled_at: occurred_at,
      shows_codes: true,
      recovery_codes_left: 0,
      passkeys: [],
      created: occurred_at,
    }),
    UserSignedUp: (_, { data, metadata: { mode, occurred_at } }): UserDocument => ({
      ...NOTHING_ENROLLED,
      ...data,
      mode,
      role: 'owner',
      status: 'active',
      email_verified_at: occurred_at,
      password_changed_at: occurred_at,
      created: occurred_at,
    }),
    UserInvited: (_, { data, metadata: { mode, occurred_at } }): UserDocument => ({
      ...NOTHING_ENROLLED,
      ...data,
      mode,
      name: null,
      status: 'invited',
      email_verified_at: null,
      password_hash: null,
      password_changed_at: null,
      created: occurred_at,
    }),
    InvitationWithdrawn: doc => doc && { ...doc, status: 'withdrawn' },
    InvitationAccepted: (doc, { data, metadata: { occurred_at } }) =>
      doc && {
        ...doc,
        ...data,
        status: 'active',
        email_verified_at: occurred_at,
        password_changed_at: occurred_at,
      },
    PasswordChanged: (doc, { data, metadata: { occurred_at } }) =>
      doc && {
        ...doc,
        password_hash: data.password_hash,
        password_changed_at: occurred_at,
        // A reset goes by a mailed link, so the address is the user's.
        email_verified_at: doc.email_verified_at ?? (data.reason === 'reset' ? occurred_at : null),
      },
    TotpEnrolled: (doc, { data, metadata: { occurred_at } }) =>
      doc && withCodes({ ...doc, totp_secret_sealed: data.totp_secret_sealed, totp_enrolled_at: occurred_at }),
    RecoveryCodesMade: (doc, { data }) => doc && { ...doc, recovery_codes_left: data.code_hashes.length },
    RecoveryCodeUsed: doc => doc && { ...doc, recovery_codes_left: doc.recovery_codes_left - 1 },
    AuthenticatorReset: doc => doc && { ...doc, ...NOTHING_ENROLLED },
    RoleGiven: (doc, { data }) => doc && { ...doc, role: data.role },
    UserDisabled: doc => doc && withCodes({ ...doc, status: doc.password_hash === null ? 'withdrawn' : 'disabled' }),
    UserEnabled: doc => doc && withCodes({ ...doc, status: doc.password_hash === null ? 'invited' : 'active' }),
    PasskeyAdded: (doc, { data: { passkey_id: id, credential_hash, name }, metadata: { occurred_at: added_at } }) =>
      doc && { ...doc, passkeys: [...doc.passkeys, { id, credential_hash, name, added_at }] },
    PasskeyRemoved: (doc, { data }) =>
      doc && { ...doc, passkeys: doc.passkeys.filter(({ id }) => id !== data.passkey_id) },
  },
};

function withCodes(doc: UserDocument): UserDocument {
  return { ...doc, shows_codes: doc.status === 'active' && doc.totp_secret_sealed !== null };
}
