import type { ReadModel } from '../../kernel/ports/read-models';
import type { UserRole } from '../../vocabulary/roles';

/** The document never leaves the service: hash and sealed secret are for signing in. */
export type UserDocument = {
  readonly merchant_id: string;
  readonly mode: string;
  readonly email: string;
  /** Null for an owner whom the operator has made, and until an invitation is accepted. */
  readonly name: string | null;
  readonly role: UserRole;
  readonly status: 'invited' | 'withdrawn' | 'active' | 'disabled';
  /** Null until a mailed link was used. */
  readonly email_verified_at: string | null;
  /** Null until an invitation is accepted. */
  readonly password_hash: string | null;
  readonly password_changed_at: string | null;
  readonly totp_secret_sealed: string | null;
  readonly totp_enrolled_at: string | null;
  /** Whether one-time codes of the user count: an authenticator is enrolled, and the user is active. */
  readonly shows_codes: boolean;
  readonly recovery_codes_left: number;
  readonly passkeys: readonly {
    readonly id: string;
    readonly credential_hash: string;
    readonly name: string;
    readonly added_at: string;
  }[];
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
