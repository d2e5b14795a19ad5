import type { ReadModel } from '../../kernel/ports/read-models';

/** The document never leaves the service: hash and sealed secret are for signing in. */
export type UserDocument = {
  readonly merchant_id: string;
  readonly mode: string;
  readonly email: string;
  readonly password_hash: string;
  readonly totp_secret_sealed: string;
  readonly created: string;
};

export const usersReadModel: ReadModel<UserDocument> = {
  name: 'users',
  version: 1,
  indexes: { by_merchant: ['merchant_id', 'created', 'id'], by_email: ['email'] },
};
