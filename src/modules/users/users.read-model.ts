import type { ReadModel } from '../../kernel/ports/read-models';
import type { UserRole } from '../../vocabulary/roles';
import type { CredentialDocument } from './credential-document';
import type { User } from './user.state';

/** The document never leaves the service: hash and sealed secret are for signing in. */
export type UserDocument = CredentialDocument & {
  readonly merchant_id: string;
  readonly mode: string;
  readonly email: string;
  /** Null for an owner whom the operator has made, and until an invitation is accepted. */
  readonly name: string | null;
  readonly role: UserRole;
  readonly created: string;
  /** As the domain folds it: the other fields follow from it. */
  readonly state: Exclude<User, { readonly status: 'none' }>;
};

export const usersReadModel: ReadModel<UserDocument> = {
  name: 'users',
  version: 4,
  indexes: {
    by_merchant: ['merchant_id', 'created', 'id'],
    by_email: ['email'],
    by_codes: ['merchant_id', 'shows_codes', 'created', 'id'],
  },
};
