import type { ReadModel } from '../../kernel/ports/read-models';
import type { AdminRole } from '../../vocabulary/admin-roles';
import type { CredentialDocument } from '../users/credential-document';
import type { Admin } from './admin.state';

/** The document never leaves the service: hash and sealed secret are for signing in. */
export type AdminDocument = CredentialDocument & {
  readonly mode: string;
  readonly email: string;
  /** Null for an owner of the first start or the command line, and until an invitation is accepted. */
  readonly name: string | null;
  readonly role: AdminRole;
  readonly created: string;
  /** As the domain folds it: the other fields follow from it. */
  readonly state: Exclude<Admin, { readonly status: 'none' }>;
};

export const adminsReadModel: ReadModel<AdminDocument> = {
  name: 'admins',
  version: 2,
  indexes: { by_created: ['created', 'id'], by_role: ['role', 'created', 'id'] },
};
