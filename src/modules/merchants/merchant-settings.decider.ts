import type { Aggregate } from '../../kernel/write-path';
import {
  factsOf,
  isSameSettings,
  settingsAfter,
  settingsIn,
  type MerchantSettings,
  type SettingsChanges,
} from './merchant-settings';
import type { MerchantSettingsEvent } from './merchant-settings.events';
import { merchantSettingsUpcasts } from './merchant-settings.upcast';

/** Null until the first change in the mode: the account's starting values hold until then. */
type OwnSettings = MerchantSettings | null;

type SettingsCommand = {
  readonly type: 'change';
  readonly changes: SettingsChanges;
  /** The starting values of the merchant's account, which never change. */
  readonly starting: MerchantSettings;
};

function decide({ changes, starting }: SettingsCommand, state: OwnSettings): readonly MerchantSettingsEvent[] {
  const before = state ?? starting;
  const after = settingsAfter(changes, before);
  return isSameSettings(after, before) ? [] : [{ type: 'SettingsSet', data: factsOf(after) }];
}

export const merchantSettings: Aggregate<OwnSettings, SettingsCommand, MerchantSettingsEvent> = {
  category: 'merchant_settings',
  // The stream's id is the merchant's own, so nobody can ask for another merchant's stream.
  notFound: null,
  initial: null,
  restates: true,
  upcasts: merchantSettingsUpcasts,
  decide,
  evolve: (_, { data }) => settingsIn(data),
};
