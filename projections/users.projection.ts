import { streamId, type Projection } from '../src/kernel/projection';
import { NOTHING_ENROLLED_YET, withCodes, withCredentials } from '../src/modules/users/credential-document';
import type { UserEvent } from '../src/modules/users/user.events';
import { usersReadModel, type UserDocument } from '../src/modules/users/users.read-model';

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
      ...NOTHING_ENROLLED_YET,
      ...data,
      mode,
      role: 'owner',
      status: 'active',
      email_verified_at: occurred_at,
      password_changed_at: occurred_at,
      created: occurred_at,
    }),
    UserInvited: (_, { data, metadata: { mode, occurred_at } }): UserDocument => ({
      ...NOTHING_ENROLLED_YET,
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
    PasswordChanged: withCredentials,
    TotpEnrolled: withCredentials,
    RecoveryCodesMade: withCredentials,
    RecoveryCodeUsed: withCredentials,
    AuthenticatorReset: withCredentials,
    PasskeyAdded: withCredentials,
    PasskeyRemoved: withCredentials,
    RoleGiven: (doc, { data }) => doc && { ...doc, role: data.role },
    UserDisabled: doc => doc && withCodes({ ...doc, status: doc.password_hash === null ? 'withdrawn' : 'disabled' }),
    UserEnabled: doc => doc && withCodes({ ...doc, status: doc.password_hash === null ? 'invited' : 'active' }),
  },
};
