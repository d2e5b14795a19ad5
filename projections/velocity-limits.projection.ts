import { streamId, type Projection } from '../src/kernel/projection';
import type { VelocityLimitEvent } from '../src/modules/controls/velocity-limit.events';
import {
  velocityLimitsReadModel,
  type VelocityLimitDocument,
} from '../src/modules/controls/velocity-limits.read-model';

export const velocityLimitsProjection: Projection<VelocityLimitDocument, VelocityLimitEvent> = {
  ...velocityLimitsReadModel,
  categories: ['velocity_limit'],
  mirrors: true,
  key: streamId,
  on: {
    VelocityLimitSet: (_, { data, metadata }): VelocityLimitDocument => ({
      ...data,
      is_set: true,
      set_at: metadata.occurred_at,
    }),
    VelocityLimitLifted: doc => doc && { ...doc, is_set: false },
  },
};
