import { streamId, type Projection } from '../src/kernel/projection';
import type { UserEvent } from '../src/modules/users/user.events';
import { usersReadModel, type UserDocument } from '../src/modules/users/users.read-model';

export const usersProjection: Projection<UserDocument, UserEvent> = {
  ...usersReadModel,
  categories: ['user'],
  mirrors: true,
  key: streamId,
  on: {
    UserRegistered: (_, { data, metadata }): UserDocument => ({
      ...data,
      mode: metadata.mode,
      created: metadata.occurred_at,
    }),
  },
};
