import type { ApiVersion } from '../../vocabulary/api-versions';
import type { Brand } from '../../vocabulary/settings-facts';
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

type BrandSet = { readonly type: 'BrandSet'; readonly data: Brand };

/** The page for customers after checkout where the payment names none; null: no page. */
type DefaultSuccessUrlSet = {
  readonly type: 'DefaultSuccessUrlSet';
  readonly data: { readonly default_success_url: string | null };
};

type MerchantDisabled = { readonly type: 'MerchantDisabled'; readonly data: { readonly reason: string } };
type MerchantEnabled = { readonly type: 'MerchantEnabled'; readonly data: { readonly reason: string } };

/** The account reads its history and makes nothing new, for good; payments under way are carried on. */
type MerchantClosed = { readonly type: 'MerchantClosed'; readonly data: { readonly reason: string } };

/** Basis points of a payment's amount, from now on. */
type FeeRateSet = { readonly type: 'FeeRateSet'; readonly data: { readonly fee_bps: number } };

/** The most that one payment may be worth, from the next one on. */
type PaymentCeilingSet = {
  readonly type: 'PaymentCeilingSet';
  readonly data: { readonly payment_ceiling_usd_minor_units: string };
};

/** From that moment on no new payment is taken in live mode, unless the fee invoice is paid before. */
type PauseScheduled = {
  readonly type: 'PauseScheduled';
  readonly data: { readonly fee_invoice: string; readonly pauses_at: string };
};
/** The fee invoice pauses nothing, now or later. */
type PauseWithdrawn = { readonly type: 'PauseWithdrawn'; readonly data: { readonly fee_invoice: string } };

/**
 * The account can do without this owner, since another one was there who was not released. `term` is the ordinal
 * number of the user's time as an owner, which may end from now on.
 */
type OwnerReleased = {
  readonly type: 'OwnerReleased';
  readonly data: { readonly user_id: string; readonly term: number };
};

export type MerchantEvent =
  | MerchantRegistered
  | ApiVersionPinned
  | PaymentToleranceSet
  | EnabledTokensSet
  | BrandSet
  | DefaultSuccessUrlSet
  | MerchantDisabled
  | MerchantEnabled
  | MerchantClosed
  | FeeRateSet
  | PaymentCeilingSet
  | PauseScheduled
  | PauseWithdrawn
  | OwnerReleased;
