import type { SettingsFacts } from '../../vocabulary/settings-facts';

/** Each change tells every setting. So the newest event is enough, however often a merchant changes its settings. */
export type MerchantSettingsEvent = { readonly type: 'SettingsSet'; readonly data: SettingsFacts };
