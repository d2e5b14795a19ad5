import type { RecordedEvent } from '../src/kernel/event';
import { streamId, type Projection } from '../src/kernel/projection';
import { credentialsOf } from '../src/modules/users/credential-document';
import { users } from '../src/modules/users/user.decider';
import type { UserEvent } from '../src/modules/users/user.events';
import { accountOf, personOf } from '../src/modules/users/user.state';
import { usersReadModel, type UserDocument } from '../src/modules/users/users.read-model';

function told(doc: UserDocument | null, event: RecordedEvent<UserEvent>): UserDocument | null {
  const state = users.evolve(doc?.state ?? users.initial, event);
  const person = personOf(state);
  if (person === null || state.status === 'none') return null;
  const account = accountOf(state);
  return {
    ...credentialsOf({ status: state.status, account }, doc, event),
    merchant_id: person.merchantId,
    mode: event.metadata.mode,
    email: person.email,
    name: account?.name ?? null,
    role: person.role,
    state,
  };
}

export const usersProjection: Projection<UserDocument, UserEvent> = {
  ...usersReadModel,
  categories: ['user'],
  mirrors: true,
  key: streamId,
  on: {
    UserRegistered: told,
    UserSignedUp: told,
    UserInvited: told,
    InvitationWithdrawn: told,
    InvitationAccepted: told,
    PasswordChanged: told,
    TotpEnrolled: told,
    RecoveryCodesMade: told,
    RecoveryCodeUsed: told,
    AuthenticatorReset: told,
    PasskeyAdded: told,
    PasskeyRemoved: told,
    RoleGiven: told,
    UserDisabled: told,
    UserEnabled: told,
  },
};
