import type { TokenId } from '../../kernel/tokens';

export type MerchantRegistered = {
  readonly type: 'MerchantRegistered';
  readonly data: { readonly name: string; readonly email: string };
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

export type MerchantDisabled = { readonly type: 'MerchantDisabled'; readonly data: { readonly reason: string } };
export type MerchantEnabled = { readonly type: 'MerchantEnabled'; readonly data: { readonly reason: string } };

export type MerchantEvent =
  MerchantRegistered | PaymentToleranceSet | EnabledTokensSet | MerchantDisabled | MerchantEnabled;
