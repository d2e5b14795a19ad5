import type { ReadModel } from '../../kernel/ports/read-models';
import type { UserRole } from '../../vocabulary/roles';
import type { CredentialDocument } from './credential-document';

/** The document never leaves the service: hash and sealed secret are for signing in. */
export type UserDocument = CredentialDocument & {
  readonly merchant_id: string;
  readonly mode: string;
  readonly email: string;
  /** Null for an owner whom the operator has made, and until an invitation is accepted. */
  readonly name: string | null;
  readonly role: UserRole;
  readonly created: string;
};

export const usersReadModel: ReadModel<UserDocument> = {
  name: 'users',
  version: 3,
  indexes: {
    by_merchant: ['merchant_id', 'created', 'id'],
    by_email: ['email'],
    by_codes: ['merchant_id', 'shows_codes', 'created', 'id'],
  },
};
