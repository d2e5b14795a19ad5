import type { Aggregate } from '../../kernel/write-path';
import type { ScreeningSettingsEvent } from './screening-settings.events';
import { checkedTimeout, DEFAULT_SCREENING_TIMEOUT_MS } from './screening-timeout';

type ScreeningSettings = { readonly timeoutMs: number };
type ScreeningSettingsCommand = { readonly type: 'set_timeout'; readonly timeoutMs: number };

function decide(
  command: ScreeningSettingsCommand,
  { timeoutMs }: ScreeningSettings,
): readonly ScreeningSettingsEvent[] {
  const wanted = checkedTimeout(command.timeoutMs);
  return wanted === timeoutMs ? [] : [{ type: 'ScreeningTimeoutSet', data: { timeout_ms: wanted } }];
}

function evolve(_: ScreeningSettings, { data }: ScreeningSettingsEvent): ScreeningSettings {
  return { timeoutMs: data.timeout_ms };
}

export const screeningSettings: Aggregate<ScreeningSettings, ScreeningSettingsCommand, ScreeningSettingsEvent> = {
  category: 'screening_settings',
  notFound: null,
  initial: { timeoutMs: DEFAULT_SCREENING_TIMEOUT_MS },
  decide,
  evolve,
};
