import type { ApiVersion } from '../../vocabulary/api-versions';
import type { TokenId } from '../../vocabulary/tokens';

type MerchantRegistered = {
  readonly type: 'MerchantRegistered';
  readonly data: { readonly name: string; readonly email: string };
};

/** The version that the account is served where a request names none. */
type ApiVersionPinned = {
  readonly type: 'ApiVersionPinned';
  readonly data: { readonly api_version: ApiVersion };
};

/** Whole basis points of the amount due, 0 to 100, by which a payment may be short and still confirm. */
type PaymentToleranceSet = {
  readonly type: 'PaymentToleranceSet';
  readonly data: { readonly payment_tolerance_bps: number };
};

type EnabledTokensSet = {
  readonly type: 'EnabledTokensSet';
  readonly data: { readonly enabled_tokens: readonly TokenId[] };
};

/** The merchant's looks for customers; null for a field that is not set. `color` is `#rrggbb`. */
export type Brand = { readonly name: string | null; readonly color: string | null; readonly logo_url: string | null };
type BrandSet = { readonly type: 'BrandSet'; readonly data: Brand };

/** The page for customers after checkout where the payment names none; null: no page. */
type DefaultSuccessUrlSet = {
  readonly type: 'DefaultSuccessUrlSet';
  readonly data: { readonly default_success_url: string | null };
};

type MerchantDisabled = { readonly type: 'MerchantDisabled'; readonly data: { readonly reason: string } };
type MerchantEnabled = { readonly type: 'MerchantEnabled'; readonly data: { readonly reason: string } };

export type MerchantEvent =
  | MerchantRegistered
  | ApiVersionPinned
  | PaymentToleranceSet
  | EnabledTokensSet
  | BrandSet
  | DefaultSuccessUrlSet
  | MerchantDisabled
  | MerchantEnabled;
