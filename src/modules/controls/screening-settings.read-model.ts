import type { ReadModel } from '../../kernel/ports/read-models';
import { SCREENING_SETTINGS } from './screening-settings.events';

export type ScreeningSettingsDocument = { readonly timeout_ms: number; readonly set_at: string };

export const screeningSettingsReadModel: ReadModel<ScreeningSettingsDocument> = {
  name: 'screening_settings',
  version: 1,
  indexes: { by_set: ['set_at', 'id'] },
  restates: true,
};

/** The document of the settings, for a reading of what can change from one screening to the next. */
export const SCREENING_ASKED = {
  readModel: screeningSettingsReadModel,
  universe: 'platform',
  id: SCREENING_SETTINGS,
} as const;
