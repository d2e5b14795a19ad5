import type { UserRole } from '../../vocabulary/roles';
import { evolveCredentials, NOTHING_ENROLLED, type Credentials } from './credentials';
import type { UserEvent } from './user.events';

type Invited = {
  readonly status: 'invited' | 'withdrawn';
  readonly merchantId: string;
  readonly email: string;
  readonly role: UserRole;
};

export type Active = Credentials & {
  readonly status: 'active';
  readonly merchantId: string;
  readonly email: string;
  /** Null for an owner whom the operator has made. */
  readonly name: string | null;
  readonly role: UserRole;
  /** The ordinal number of the user's newest time as an active owner; 0 before the first one. */
  readonly ownerTerm: number;
};

export type User =
  { readonly status: 'none' } | Invited | Active | { readonly status: 'disabled'; readonly before: Active };

const NEWCOMER = { ...NOTHING_ENROLLED, status: 'active', name: null, ownerTerm: 0 } as const;

/** The user's facts, whatever the status; null where there is no user. */
export function personOf(user: User): Invited | Active | null {
  if (user.status === 'none') return null;
  return user.status === 'disabled' ? user.before : user;
}

/** The facts of a user who has an account, and not only an invitation; null for any other. */
export function accountOf(user: User): Active | null {
  const person = personOf(user);
  return person?.status === 'active' ? person : null;
}

export function evolve(state: User, event: UserEvent): User {
  switch (event.type) {
    case 'UserRegistered': {
      const { merchant_id: merchantId, email, password_hash, totp_secret_sealed } = event.data;
      const secrets = { passwordHash: password_hash, totpSecretSealed: totp_secret_sealed };
      return { ...NEWCOMER, merchantId, email, role: 'owner', ...secrets, ownerTerm: 1 };
    }
    case 'UserSignedUp': {
      const { merchant_id: merchantId, email, name, password_hash: passwordHash } = event.data;
      return { ...NEWCOMER, merchantId, email, name, role: 'owner', passwordHash, ownerTerm: 1 };
    }
    case 'UserInvited': {
      const { merchant_id: merchantId, email, role } = event.data;
      return { status: 'invited', merchantId, email, role };
    }
    case 'InvitationWithdrawn':
      return state.status === 'invited' ? { ...state, status: 'withdrawn' } : state;
    case 'InvitationAccepted': {
      if (state.status !== 'invited') return state;
      const { name, password_hash: passwordHash } = event.data;
      const { merchantId, email, role } = state;
      const ownerTerm = role === 'owner' ? 1 : 0;
      return { ...NEWCOMER, merchantId, email, name, role, passwordHash, ownerTerm };
    }
    case 'UserDisabled':
      // An older log tells the withdrawal of an invitation by this event, and takes it back by the next one.
      if (state.status === 'invited') return { ...state, status: 'withdrawn' };
      return state.status === 'active' ? { status: 'disabled', before: state } : state;
    case 'UserEnabled':
      if (state.status === 'withdrawn') return { ...state, status: 'invited' };
      return state.status === 'disabled' ? inNewTerm(state.before) : state;
    case 'RoleGiven': {
      const { role } = event.data;
      if (state.status !== 'active') return changed(state, { role });
      return inNewTerm({ ...state, role });
    }
    default: {
      const account = accountOf(state);
      return account ? changed(state, evolveCredentials(account, event)) : state;
    }
  }
}

function inNewTerm(user: Active): Active {
  return user.role === 'owner' ? { ...user, ownerTerm: user.ownerTerm + 1 } : user;
}

/** The account with the changes, also where it is disabled meanwhile. */
function changed(state: User, changes: Partial<Omit<Active, 'status'>>): User {
  if (state.status === 'active') return { ...state, ...changes };
  return state.status === 'disabled' ? { ...state, before: { ...state.before, ...changes } } : state;
}
