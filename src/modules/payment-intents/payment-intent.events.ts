import type { RateObservation } from '../../kernel/ports/rate-source';
import type { TokenId } from '../../vocabulary/tokens';
import type { FinalityTier, NetworkId } from '../../vocabulary/networks';

export type Quote = {
  readonly token_id: TokenId;
  readonly network_id: NetworkId;
  readonly wallet_id: string;
  readonly address: string;
  /** The price of the fiat amount at the rate, rounded up. */
  readonly price_base_units: string;
  /** The reserved unique amount, which is due. */
  readonly due_base_units: string;
  readonly slot: string;
  /** Token units per one major fiat unit. */
  readonly rate: string;
  readonly observations: readonly RateObservation[];
  readonly quoted_at: string;
  readonly quote_expires_at: string;
  readonly reserved_until: string;
  /** The merchant's payment tolerance as it was at select_method. */
  readonly tolerance_bps: number;
  readonly required_confirmations: number;
  /** The network's finality rule that the transfers must satisfy. */
  readonly finality_tier: FinalityTier;
  /**
   * The merchant's declaration, as it was at select_method: the wallet receives nothing but payments of this service.
   */
  readonly dedicated: boolean;
};

/** A transfer in a block, as the watcher sees it. */
export type SightedTransfer = {
  /** `tr_…`, from network, transaction hash and ordinal. */
  readonly transfer_id: string;
  readonly tx_hash: string;
  readonly ordinal: number;
  readonly from: string;
  readonly value_base_units: string;
  readonly block_number: number;
  readonly block_hash: string;
  readonly block_time: string;
};

/**
 * The reason why a transfer is the payment's. `exact`: its value meets the amount due, or a remainder. `claimed`: a
 * naming or a decision gave it to the payment. `inferred`: its amount, place and moment point to no other payment.
 */
export type Attribution = 'exact' | 'claimed' | 'inferred';

/** `unrecorded` stands in older events alone: the payment's state tells the attribution by the amount. */
export type DetectedTransfer = SightedTransfer & { readonly attribution: Attribution | 'unrecorded' };

export type Received = { readonly received_base_units: string; readonly received_minor_units: string };

/** A further amount, reserved for the remainder. */
export type Remainder = { readonly due_base_units: string; readonly slot: string; readonly reserved_until: string };

export type FailureReason = 'reverted' | 'reorged_out' | 'verification_failed';
/**
 * `surplus`: final after the payment had ended, so the transfer counts for no payment yet and goes to the unmatched
 * queue. `review_rejected`: the merchant has rejected the payment in review, and the inferred transfer goes to the
 * queue. `superseded`: other transfers have paid the payment, and the inferred one goes to the queue.
 */
export type DropReason = FailureReason | QueueReason;

type QueueReason = 'surplus' | 'review_rejected' | 'superseded';

/** Whether a transfer that is dropped for the reason still stands on the chain, and so goes to the queue. */
export function goesToQueue(reason: DropReason): reason is QueueReason {
  return reason === 'surplus' || reason === 'review_rejected' || reason === 'superseded';
}

export type PaymentIntentCreated = {
  readonly type: 'PaymentIntentCreated';
  readonly data: {
    readonly amount_minor_units: string;
    readonly currency: string;
    readonly currency_decimals: number;
    readonly metadata: Readonly<Record<string, string>>;
    /** Shown to the customer; null where the merchant gave none. */
    readonly description: string | null;
    readonly success_url: string | null;
    /** The payment in whose place the customer started this one at checkout; null for a payment of its own. */
    readonly restarted_from: string | null;
    /** The link that the customer opened; null for a payment that no link made. */
    readonly payment_link: string | null;
    /** The invoice that the payment is to pay; null for a payment of no invoice. */
    readonly invoice: string | null;
  };
};
type MethodSelected = { readonly type: 'MethodSelected'; readonly data: Quote };
type PaymentCanceled = { readonly type: 'PaymentCanceled'; readonly data: Record<string, never> };
type QuoteExpired = { readonly type: 'QuoteExpired'; readonly data: { readonly quote_expires_at: string } };
/** The transfer was seen for the first time, or again in another block after a reorganisation. */
type TransferDetected = { readonly type: 'TransferDetected'; readonly data: DetectedTransfer };
export type TransferDropped = {
  readonly type: 'TransferDropped';
  readonly data: { readonly transfer_id: string; readonly reason: DropReason };
};
/**
 * A reorganisation put the transfer into another block. The transfer counts already or the payment takes no more, so
 * the payment's status stays.
 */
type TransferMoved = {
  readonly type: 'TransferMoved';
  readonly data: { readonly transfer_id: string } & Pick<
    DetectedTransfer,
    'block_number' | 'block_hash' | 'block_time'
  >;
};
/**
 * The payment has taken as many transfers as a payment takes, moves counted. A later transfer goes to the queue, and so
 * does a transfer that moves before it counts.
 */
type TransferLimitReached = {
  readonly type: 'TransferLimitReached';
  readonly data: { readonly limit: number };
};
type ConfirmationSeen = {
  readonly type: 'ConfirmationSeen';
  readonly data: { readonly transfer_id: string; readonly head_number: number };
};
type PayerScreened = {
  readonly type: 'PayerScreened';
  readonly data: {
    readonly payer: string;
    readonly verdict: 'clear' | 'high_risk';
    readonly source: string;
    readonly reference: string | null;
  };
};
type DepthReached = {
  readonly type: 'DepthReached';
  readonly data: { readonly transfer_id: string; readonly block_hash: string; readonly head_number: number };
};
type PaymentConfirmed = {
  readonly type: 'PaymentConfirmed';
  /** The surplus is null where no more has come than was asked for. */
  readonly data: Received & { readonly surplus_base_units: string | null };
};
export type PaymentUnderpaid = {
  readonly type: 'PaymentUnderpaid';
  /** The remainder is null where no amount was free for it, and where only the merchant can confirm the payment. */
  readonly data: Received & { readonly remainder: Remainder | null };
};
type PaymentOverpaid = {
  readonly type: 'PaymentOverpaid';
  readonly data: Received & { readonly surplus_base_units: string };
};
type RemainderCredited = {
  readonly type: 'RemainderCredited';
  readonly data: Received & { readonly transfer_id: string };
};
/**
 * The amount that is asked for from now on, after a part of the remainder has come or a transfer that counted is gone.
 * The earlier amount would be too much, or too little.
 */
type RemainderReserved = { readonly type: 'RemainderReserved'; readonly data: Remainder };
export type PaidLate = { readonly type: 'PaidLate'; readonly data: Received & { readonly transfer_id: string } };
/** The screening holds a payer of high risk; an administrator holds a payer for a reason in plain words. */
export type HoldGround =
  | { readonly source: 'screening'; readonly reason: null }
  | { readonly source: 'administrator'; readonly reason: string };
type HoldPlaced = { readonly type: 'HoldPlaced'; readonly data: HoldGround & { readonly payer: string } };
/** Two administrators, by their ids: nobody resolves a hold alone. */
type HoldResolution = { readonly reason: string; readonly proposed_by: string; readonly approved_by: string };
type HoldReleased = { readonly type: 'HoldReleased'; readonly data: HoldResolution };
type HoldRejected = { readonly type: 'HoldRejected'; readonly data: HoldResolution };
type PaymentAccepted = { readonly type: 'PaymentAccepted'; readonly data: { readonly note: string | null } };
type ReviewResolved = {
  readonly type: 'ReviewResolved';
  readonly data: { readonly resolution: 'accepted' | 'rejected'; readonly note: string };
};
export type PaymentFailed = {
  readonly type: 'PaymentFailed';
  readonly data: { readonly transfer_id: string; readonly reason: FailureReason };
};
export type SettledTransferLost = {
  readonly type: 'SettledTransferLost';
  readonly data: { readonly transfer_id: string };
};

export type PaymentIntentEvent =
  | PaymentIntentCreated
  | MethodSelected
  | PaymentCanceled
  | QuoteExpired
  | TransferDetected
  | TransferDropped
  | TransferMoved
  | TransferLimitReached
  | ConfirmationSeen
  | PayerScreened
  | DepthReached
  | PaymentConfirmed
  | PaymentUnderpaid
  | PaymentOverpaid
  | RemainderCredited
  | RemainderReserved
  | PaidLate
  | HoldPlaced
  | HoldReleased
  | HoldRejected
  | PaymentAccepted
  | ReviewResolved
  | PaymentFailed
  | SettledTransferLost;
