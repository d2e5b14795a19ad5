import type { Mode } from '../../vocabulary/modes';
import type { ReadModel } from '../../kernel/ports/read-models';
import type { SettingsFacts } from '../../vocabulary/settings-facts';
import { merchantsReadModel, type MerchantDocument } from './merchants.read-model';

export type MerchantSettingsDocument = SettingsFacts & { readonly merchant_id: string; readonly mode: string };

/** Access documents tell of these streams: a request reads the newest settings of its own mode. */
export const merchantSettingsReadModel: ReadModel<MerchantSettingsDocument> = {
  name: 'merchant_settings',
  version: 4,
  indexes: {},
  restates: true,
};

/** The documents that tell a merchant's settings in a mode, for one reading of both. */
export function settingsAsked(mode: Mode, merchantId: string) {
  return [
    { readModel: merchantsReadModel, universe: 'platform', id: merchantId },
    { readModel: merchantSettingsReadModel, universe: mode, id: merchantId },
  ] as const;
}

/** The settings of the mode; the account's starting values until the first change there. */
export function settingsOf(merchant: MerchantDocument, own: MerchantSettingsDocument | undefined): SettingsFacts {
  return own ?? merchant;
}
