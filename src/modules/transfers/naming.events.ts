import type { ErrorCode } from '../../vocabulary/errors';

/** The side that named the transaction: the merchant by its key, or somebody at checkout. */
export type NamingSide = 'merchant' | 'checkout';

/** A person says that this transaction pays a payment. The naming waits for the transaction until `expires_at`. */
export type TransactionNamed = {
  readonly type: 'TransactionNamed';
  readonly data: {
    readonly payment_intent: string;
    readonly side: NamingSide;
    /** Null where the sender named no log index. */
    readonly log_index: number | null;
    readonly expires_at: string;
  };
};

/** An exchange's own number, which no chain knows and people look into. */
export type ExchangeTransferNamed = {
  readonly type: 'ExchangeTransferNamed';
  readonly data: { readonly payment_intent: string; readonly side: NamingSide };
};

/** The reason why a transfer may be another payment's. */
export type Doubt =
  'far_more_than_asked' | 'older_than_quote' | 'after_remainder' | 'another_is_nearer' | 'inferred_already';

/** The transfer stands on the chain and may be another payment's: the naming is evidence for the decision. */
type NamingKept = {
  readonly type: 'NamingKept';
  readonly data: { readonly payment_intent: string; readonly transfer_id: string; readonly reason: Doubt };
};

/** The chain cannot be asked for this transaction as for others, so people look into the naming. */
type NamingReferred = {
  readonly type: 'NamingReferred';
  readonly data: { readonly payment_intent: string; readonly reason: ReferralReason };
};

/** `transaction_too_large`: the transaction's receipt is longer than the limit for a naming. */
export type ReferralReason = 'transaction_too_large';

/** The reason why people decide. */
export type ReviewReason = Doubt | ReferralReason;

type NamingAttributed = {
  readonly type: 'NamingAttributed';
  readonly data: { readonly payment_intent: string; readonly transfer_id: string };
};

type NamingRefused = {
  readonly type: 'NamingRefused';
  readonly data: { readonly payment_intent: string; readonly refusal: ErrorCode };
};

export const NAMING_OUTCOMES = ['attributed', 'refused'] as const;
export type NamingOutcome = (typeof NAMING_OUTCOMES)[number];

/** An administrator has looked into the naming. */
type NamingResolved = {
  readonly type: 'NamingResolved';
  readonly data: {
    readonly payment_intent: string;
    readonly outcome: NamingOutcome;
    /** The transfer that it was; null for a naming that is refused. */
    readonly transfer_id: string | null;
    readonly note: string;
  };
};

export type NamingEvent =
  | TransactionNamed
  | ExchangeTransferNamed
  | NamingKept
  | NamingReferred
  | NamingAttributed
  | NamingRefused
  | NamingResolved;
