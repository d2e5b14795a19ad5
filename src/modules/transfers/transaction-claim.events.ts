import type { ErrorCode } from '../../kernel/errors';

/** Who named the transaction: the merchant by its key, or somebody at checkout. */
export type ClaimSide = 'merchant' | 'checkout';

/** Somebody says that this transaction pays a payment. It waits for the transaction until `expires_at`. */
export type TransactionClaimFiled = {
  readonly type: 'TransactionClaimFiled';
  readonly data: {
    readonly payment_intent: string;
    readonly side: ClaimSide;
    /** Null where the sender named none. */
    readonly log_index: number | null;
    readonly expires_at: string;
  };
};

/** An exchange's own number, which no chain knows: for people to look into. */
export type ExchangeTransferFiled = {
  readonly type: 'ExchangeTransferFiled';
  readonly data: { readonly payment_intent: string; readonly side: ClaimSide };
};

/** Why a transfer may be another payment's. */
export type Doubt = 'far_more_than_asked' | 'older_than_quote' | 'after_remainder' | 'another_is_nearer';

/** The transfer stands on the chain and may be another's: evidence for whoever decides. */
export type TransactionClaimKept = {
  readonly type: 'TransactionClaimKept';
  readonly data: { readonly payment_intent: string; readonly transfer_id: string; readonly reason: Doubt };
};

/** The chain cannot be asked for the transaction as for others: people look into it. */
export type TransactionClaimReferred = {
  readonly type: 'TransactionClaimReferred';
  readonly data: { readonly payment_intent: string; readonly reason: ReferralReason };
};

/** `transaction_too_large`: the transaction's receipt is longer than is read for a claim. */
export type ReferralReason = 'transaction_too_large';

/** Why people decide. */
export type ReviewReason = Doubt | ReferralReason;

export type TransactionClaimAttributed = {
  readonly type: 'TransactionClaimAttributed';
  readonly data: { readonly payment_intent: string; readonly transfer_id: string };
};

export type TransactionClaimRefused = {
  readonly type: 'TransactionClaimRefused';
  readonly data: { readonly payment_intent: string; readonly refusal: ErrorCode };
};

export type TransactionClaimEvent =
  | TransactionClaimFiled
  | ExchangeTransferFiled
  | TransactionClaimKept
  | TransactionClaimReferred
  | TransactionClaimAttributed
  | TransactionClaimRefused;
