import { Whole } from '../../../../platform/http/fields/value-fields';
import { SetScreeningTimeout } from '../../../controls/commands/set-screening-timeout.command';
import { SCREENING_ASKED, screeningSettingsReadModel } from '../../../controls/screening-settings.read-model';
import { DEFAULT_SCREENING_TIMEOUT_MS, LONGEST_SCREENING_TIMEOUT_MS } from '../../../controls/screening-timeout';
import { row, settingAction } from '../admin-action';

class SetScreeningTimeoutDto {
  @Whole({
    min: 1,
    max: LONGEST_SCREENING_TIMEOUT_MS,
    code: 'invalid_screening_timeout',
    description: 'Milliseconds that a source of screenings has to answer',
    example: DEFAULT_SCREENING_TIMEOUT_MS,
  })
  timeout_ms!: number;
}

export const setScreeningTimeout = settingAction({
  permission: 'controls.edit',
  path: 'screening',
  summary: 'Give the sources of screenings another time to answer',
  body: SetScreeningTimeoutDto,
  refuses: ['invalid_screening_timeout'],
  targetOf: () => SCREENING_ASKED.id,
  look: async ({ find }) => {
    const found = await find(screeningSettingsReadModel, ['platform'], SCREENING_ASKED.id);
    return { timeoutMs: found?.body.timeout_ms ?? DEFAULT_SCREENING_TIMEOUT_MS };
  },
  difference: ({ timeoutMs }, { timeout_ms: wanted }) => [row('timeout_ms', String(timeoutMs), String(wanted))],
  words: () => ({
    does: 'Gives each source this time from the next screening on. A payment waits where a source does not answer in it.',
    to: 'The payments of every merchant, in either mode.',
    cannotUndo: 'Nothing: the time can be set again.',
  }),
  command: ({ body, execution }) => new SetScreeningTimeout(body.timeout_ms, execution.context),
});
