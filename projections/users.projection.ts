import type { RecordedEvent } from '../src/kernel/event';
import { streamId, type Projection } from '../src/kernel/projection';
import type { UserRegistered } from '../src/modules/merchants/user.events';
import { usersReadModel, type UserDocument } from '../src/modules/merchants/users.read-model';

export const usersProjection: Projection<UserDocument> = {
  ...usersReadModel,
  categories: ['user'],
  mirrors: true,
  key: streamId,
  on: {
    UserRegistered: (_: UserDocument | null, { data, metadata }: RecordedEvent<UserRegistered>): UserDocument => ({
      ...data,
      mode: metadata.mode,
      created: metadata.occurred_at,
    }),
  },
};
