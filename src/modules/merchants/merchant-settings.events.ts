import type { ApiVersion } from '../../vocabulary/api-versions';
import type { TokenId } from '../../vocabulary/tokens';
import type { Brand } from './merchant.events';

/** The settings of a merchant in one mode. */
export type SettingsFacts = {
  /** Whole basis points of the amount due, 0 to 100, by which a payment may be short and still confirm. */
  readonly payment_tolerance_bps: number;
  readonly enabled_tokens: readonly TokenId[];
  readonly brand: Brand;
  /** The page for customers after checkout where the payment names none; null: no page. */
  readonly default_success_url: string | null;
  /** The version that the account is served where a request names none. */
  readonly api_version: ApiVersion;
};

/** Each change tells every setting. So the newest event is enough, however often a merchant changes its settings. */
export type MerchantSettingsEvent = { readonly type: 'SettingsSet'; readonly data: SettingsFacts };
