/** The one stream of how payers are screened. */
export const SCREENING_SETTINGS = 'screening';

/** From the next screening on, a source has so long to answer. */
type ScreeningTimeoutSet = {
  readonly type: 'ScreeningTimeoutSet';
  readonly data: { readonly timeout_ms: number };
};

export type ScreeningSettingsEvent = ScreeningTimeoutSet;
