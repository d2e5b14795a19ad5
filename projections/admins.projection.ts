import type { RecordedEvent } from '../src/kernel/event';
import { streamId, type Projection } from '../src/kernel/projection';
import { admins } from '../src/modules/admins/admin.decider';
import type { AdminEvent } from '../src/modules/admins/admin.events';
import { accountOf } from '../src/modules/admins/admin.state';
import { adminsReadModel, type AdminDocument } from '../src/modules/admins/admins.read-model';
import { credentialsOf } from '../src/modules/users/credential-document';

function told(doc: AdminDocument | null, event: RecordedEvent<AdminEvent>): AdminDocument | null {
  const state = admins.evolve(doc?.state ?? admins.initial, event);
  if (state.status === 'none') return null;
  const account = accountOf(state);
  const { email, role } = state.status === 'disabled' ? state.before : state;
  return {
    ...credentialsOf({ status: state.status, account }, doc, event),
    mode: event.metadata.mode,
    email,
    name: account?.name ?? null,
    role,
    state,
  };
}

export const adminsProjection: Projection<AdminDocument, AdminEvent> = {
  ...adminsReadModel,
  categories: ['admin'],
  mirrors: true,
  key: streamId,
  on: {
    AdminBootstrapped: told,
    AdminCreated: told,
    AdminInvited: told,
    InvitationAccepted: told,
    AdminRoleGiven: told,
    AdminDisabled: told,
    AdminEnabled: told,
    AuthenticatorReset: told,
    PasswordChanged: told,
    TotpEnrolled: told,
    RecoveryCodesMade: told,
    RecoveryCodeUsed: told,
    PasskeyAdded: told,
    PasskeyRemoved: told,
  },
};
