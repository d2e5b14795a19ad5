import type { RecordedEvent } from '../../src/kernel/event';
import { streamId, type Projection } from '../../src/kernel/projection';
import type { UserRegistered } from '../../src/modules/merchants/user.events';

/** Never leaves the service: the hash and the sealed secret are for signing in. */
export type UserDocument = {
  readonly merchant_id: string;
  readonly mode: string;
  readonly email: string;
  readonly password_hash: string;
  readonly totp_secret_sealed: string;
  readonly created: string;
};

export const usersProjection: Projection<UserDocument> = {
  name: 'users',
  version: 1,
  categories: ['user'],
  mirrors: true,
  key: streamId,
  indexes: { by_merchant: ['merchant_id', 'created', 'id'], by_email: ['email'] },
  on: {
    UserRegistered: (_: UserDocument | null, { data, metadata }: RecordedEvent<UserRegistered>): UserDocument => ({
      ...data,
      mode: metadata.mode,
      created: metadata.occurred_at,
    }),
  },
};
