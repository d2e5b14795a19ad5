import { streamId, type Projection } from '../src/kernel/projection';
import type { ScreeningSettingsEvent } from '../src/modules/controls/screening-settings.events';
import {
  screeningSettingsReadModel,
  type ScreeningSettingsDocument,
} from '../src/modules/controls/screening-settings.read-model';

export const screeningSettingsProjection: Projection<ScreeningSettingsDocument, ScreeningSettingsEvent> = {
  ...screeningSettingsReadModel,
  categories: ['screening_settings'],
  mirrors: true,
  key: streamId,
  on: {
    ScreeningTimeoutSet: (_, { data, metadata }): ScreeningSettingsDocument => ({
      ...data,
      set_at: metadata.occurred_at,
    }),
  },
};
