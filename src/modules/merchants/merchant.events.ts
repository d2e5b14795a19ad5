import type { ApiVersion } from '../../kernel/api-versions';
import type { TokenId } from '../../kernel/tokens';

export type MerchantRegistered = {
  readonly type: 'MerchantRegistered';
  readonly data: { readonly name: string; readonly email: string };
};

/** Which version's shapes the account is served where a request names none. */
export type ApiVersionPinned = {
  readonly type: 'ApiVersionPinned';
  readonly data: { readonly api_version: ApiVersion };
};

/** Whole basis points of the amount due, 0 to 100, by which a payment may be short and still confirm. */
export type PaymentToleranceSet = {
  readonly type: 'PaymentToleranceSet';
  readonly data: { readonly payment_tolerance_bps: number };
};

export type EnabledTokensSet = {
  readonly type: 'EnabledTokensSet';
  readonly data: { readonly enabled_tokens: readonly TokenId[] };
};

/** How the merchant looks to customers; null for what is not set. `color` is `#rrggbb`. */
export type Brand = { readonly name: string | null; readonly color: string | null; readonly logo_url: string | null };
export type BrandSet = { readonly type: 'BrandSet'; readonly data: Brand };

/** Where customers go after checkout when the payment names no place; null: nowhere. */
export type DefaultSuccessUrlSet = {
  readonly type: 'DefaultSuccessUrlSet';
  readonly data: { readonly default_success_url: string | null };
};

export type MerchantDisabled = { readonly type: 'MerchantDisabled'; readonly data: { readonly reason: string } };
export type MerchantEnabled = { readonly type: 'MerchantEnabled'; readonly data: { readonly reason: string } };

export type MerchantEvent =
  | MerchantRegistered
  | ApiVersionPinned
  | PaymentToleranceSet
  | EnabledTokensSet
  | BrandSet
  | DefaultSuccessUrlSet
  | MerchantDisabled
  | MerchantEnabled;
