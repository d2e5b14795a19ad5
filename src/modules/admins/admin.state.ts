import type { AdminRole } from '../../vocabulary/admin-roles';
import { evolveCredentials, NOTHING_ENROLLED, type Credentials } from '../users/credentials';
import type { AdminEvent } from './admin.events';

type Invited = { readonly status: 'invited'; readonly email: string; readonly role: AdminRole };

export type ActiveAdmin = Credentials & {
  readonly status: 'active';
  readonly email: string;
  /** Null for an owner of the first start or the command line. */
  readonly name: string | null;
  readonly role: AdminRole;
  /** The ordinal number of the newest time as an active owner; 0 before the first one. */
  readonly ownerTerm: number;
};

export type Admin =
  | { readonly status: 'none' }
  | Invited
  | ActiveAdmin
  | { readonly status: 'disabled'; readonly before: Invited | ActiveAdmin };

/** The facts of an administrator who has an account, and not only an invitation; null for any other. */
export function accountOf(admin: Admin): ActiveAdmin | null {
  const known = admin.status === 'disabled' ? admin.before : admin;
  return known.status === 'active' ? known : null;
}

export function evolve(state: Admin, event: AdminEvent): Admin {
  switch (event.type) {
    case 'AdminBootstrapped': {
      const { email, password_hash: passwordHash, totp_secret_sealed: totpSecretSealed } = event.data;
      return newAccount({ email, name: null, role: 'owner', passwordHash, totpSecretSealed });
    }
    case 'AdminCreated': {
      const { email, role, password_hash: passwordHash } = event.data;
      return newAccount({ email, name: null, role, passwordHash });
    }
    case 'AdminInvited':
      return { status: 'invited', ...event.data };
    case 'InvitationAccepted': {
      if (state.status !== 'invited') return state;
      const { name, password_hash: passwordHash } = event.data;
      return newAccount({ email: state.email, name, role: state.role, passwordHash });
    }
    case 'AdminDisabled':
      return state.status === 'invited' || state.status === 'active' ? { status: 'disabled', before: state } : state;
    case 'AdminEnabled': {
      if (state.status !== 'disabled') return state;
      return state.before.status === 'active' ? inNewTerm(state.before) : state.before;
    }
    case 'AdminRoleGiven': {
      const { role } = event.data;
      return state.status === 'active' ? inNewTerm({ ...state, role }) : changed(state, { role });
    }
    default: {
      const account = accountOf(state);
      return account ? changed(state, evolveCredentials(account, event)) : state;
    }
  }
}

type Account = Pick<ActiveAdmin, 'email' | 'name' | 'role' | 'passwordHash'> &
  Partial<Pick<ActiveAdmin, 'totpSecretSealed'>>;

function newAccount(account: Account): ActiveAdmin {
  return inNewTerm({ ...NOTHING_ENROLLED, ...account, status: 'active', ownerTerm: 0 });
}

function inNewTerm(admin: ActiveAdmin): ActiveAdmin {
  return admin.role === 'owner' ? { ...admin, ownerTerm: admin.ownerTerm + 1 } : admin;
}

/** The account with the changes, also where it is disabled meanwhile. */
function changed(state: Admin, changes: Partial<Omit<ActiveAdmin, 'status'>>): Admin {
  if (state.status === 'active') return { ...state, ...changes };
  if (state.status !== 'disabled' || state.before.status !== 'active') return state;
  return { ...state, before: { ...state.before, ...changes } };
}
