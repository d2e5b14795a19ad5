import { streamId, type Projection } from '../src/kernel/projection';
import type { AdminEvent } from '../src/modules/admins/admin.events';
import { adminsReadModel, type AdminDocument } from '../src/modules/admins/admins.read-model';
import { NOTHING_ENROLLED_YET, withCodes, withCredentials } from '../src/modules/users/credential-document';

export const adminsProjection: Projection<AdminDocument, AdminEvent> = {
  ...adminsReadModel,
  categories: ['admin'],
  mirrors: true,
  key: streamId,
  on: {
    AdminBootstrapped: (_, { data, metadata: { mode, occurred_at } }): AdminDocument => ({
      ...NOTHING_ENROLLED_YET,
      ...data,
      mode,
      name: null,
      role: 'owner',
      status: 'active',
      email_verified_at: null,
      password_changed_at: occurred_at,
      totp_enrolled_at: occurred_at,
      shows_codes: true,
      created: occurred_at,
    }),
    AdminCreated: (_, { data, metadata: { mode, occurred_at } }): AdminDocument => ({
      ...NOTHING_ENROLLED_YET,
      ...data,
      mode,
      name: null,
      status: 'active',
      email_verified_at: null,
      password_changed_at: occurred_at,
      created: occurred_at,
    }),
    AdminInvited: (_, { data, metadata: { mode, occurred_at } }): AdminDocument => ({
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
    InvitationAccepted: (doc, { data, metadata: { occurred_at } }) =>
      doc && {
        ...doc,
        ...data,
        status: 'active',
        email_verified_at: occurred_at,
        password_changed_at: occurred_at,
      },
    AdminRoleGiven: (doc, { data }) => doc && { ...doc, role: data.role },
    AdminDisabled: doc => doc && withCodes({ ...doc, status: 'disabled' }),
    AdminEnabled: doc => doc && withCodes({ ...doc, status: doc.password_hash === null ? 'invited' : 'active' }),
    AuthenticatorReset: withCredentials,
    PasswordChanged: withCredentials,
    TotpEnrolled: withCredentials,
    RecoveryCodesMade: withCredentials,
    RecoveryCodeUsed: withCredentials,
    PasskeyAdded: withCredentials,
    PasskeyRemoved: withCredentials,
  },
};
