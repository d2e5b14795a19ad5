import type { ErrorCode } from '../../vocabulary/errors';
import type { TokenId } from '../../vocabulary/tokens';
import type { NetworkId } from '../../vocabulary/networks';
import type { InferenceEvidence } from './inference-facts';

/**
 * A transfer was seen in a block. The event comes again, with the new block, when a reorganisation moved the transfer.
 * The event also comes again, with the right facts, where a provider told others at first.
 */
export type TransferSeen = {
  readonly type: 'TransferSeen';
  readonly data: {
    readonly token_id: TokenId;
    readonly from: string;
    readonly to: string;
    readonly value_base_units: string;
    readonly block_number: number;
    readonly block_hash: string;
    readonly block_time: string;
  };
};

/**
 * The claim follows from a reservation that the amount meets, from a naming of the hash, or from an inference. The
 * credit comes after it.
 */
export type TransferClaimed = {
  readonly type: 'TransferClaimed';
  readonly data: {
    readonly payment_intent: string;
    /** The grounds of an inference; null for any other claim. */
    readonly evidence: InferenceEvidence | null;
  };
};

/**
 * The claim's payment is about to count the transfer in this block. Until that payment has dropped the transfer, no
 * other payment can have it.
 */
type TransferCommitted = {
  readonly type: 'TransferCommitted';
  readonly data: { readonly payment_intent: string; readonly block_hash: string };
};

/** The reason why a transfer lies in the queue before the payment of its amount is decided. */
export type QueuedUndecided = 'too_many_waiting' | 'given_up';

/**
 * `no_reservation`: no reservation was open on its amount at its moment. `credit_refused`: the payment could not take
 * the transfer any more. `too_many_waiting`: coverage has not passed the payment's time yet, and the limit of waiting
 * transfers of that amount or address is reached. `given_up`: an administrator has ended such a wait.
 */
export type TransferUnmatched = {
  readonly type: 'TransferUnmatched';
  readonly data: {
    readonly reason: 'no_reservation' | 'credit_refused' | QueuedUndecided;
    readonly candidate: string | null;
  };
};

/** The mistake of payers that explains the amount; `reserved`: no mistake does, and the amount met a reservation. */
export type AmountEvidence =
  | { readonly code: 'exact' | 'fiat_figure' | 'digits_swapped' | 'reserved' }
  /** The amount was cut or rounded to so many decimals. */
  | { readonly code: 'rounded'; readonly decimals: number }
  /** The amount lacks an exchange's fee for a withdrawal. */
  | { readonly code: 'withdrawal_fee'; readonly fee_base_units: string; readonly is_rounded: boolean }
  /** The other transfer makes up the amount together with this one. */
  | { readonly code: 'in_parts'; readonly other_transfer: string; readonly is_same_sender: boolean }
  | { readonly code: 'short' | 'over'; readonly off_base_units: string };

/** The evidence for a candidate. */
export type CandidateEvidence = {
  readonly amount: AmountEvidence;
  /** The amount is compared with the remainder of a short payment. */
  readonly is_of_remainder: boolean;
  /** The payment's time: so long before the quote, after the quote, or after the last moment for the amount. */
  readonly paid: { readonly code: 'before_quote' | 'after_quote' | 'after_window'; readonly by_ms: number };
  /** `payer`: the sender of the payment's first transfer. `known`: a sender who has paid the merchant before. */
  readonly sender: 'payer' | 'known' | null;
  /**
   * The reason why the transfer lies in the queue, for the payment that the queue's entry names. Another payment is
   * `paid` here, and null while it waits. `ended` stands in older events alone.
   */
  readonly standing: TransferUnmatched['data']['reason'] | 'paid' | 'ended' | null;
};

/**
 * A payment that the transfer may belong to. `distance_base_units`: the distance from the amount that the payment asked
 * for.
 */
export type RankedCandidate = {
  readonly payment_intent: string;
  readonly merchant_id: string;
  readonly evidence: CandidateEvidence;
  readonly distance_base_units: string;
};

type CandidatesRanked = {
  readonly type: 'CandidatesRanked';
  readonly data: { readonly candidates: readonly RankedCandidate[] };
};

/** An administrator gave the transfer to a payment. The credit comes after it. */
type TransferResolved = {
  readonly type: 'TransferResolved';
  readonly data: { readonly payment_intent: string; readonly note: string };
};

/**
 * The payment of the resolution could not take the transfer. The transfer is out of the queue and counts for no payment
 * until it is opened again.
 */
type AttributionFailed = {
  readonly type: 'AttributionFailed';
  readonly data: { readonly payment_intent: string; readonly refusal: ErrorCode };
};

/** Money that was set aside went back to its sender, or the merchant keeps it. */
export const SET_ASIDE_OUTCOMES = ['returned', 'kept'] as const;

/** The merchant of its address took the transfer out of the queue without giving it to a payment. */
export type TransferSetAside = {
  readonly type: 'TransferSetAside';
  readonly data: { readonly outcome: (typeof SET_ASIDE_OUTCOMES)[number]; readonly note: string };
};

type TransferReopened = {
  readonly type: 'TransferReopened';
  readonly data: { readonly reason: string };
};

/**
 * The transfer has left the chain, or its payment. The claim that ends is remembered: the same money that comes back is
 * that payment's again.
 */
type TransferReorgedOut = {
  readonly type: 'TransferReorgedOut';
  readonly data: { readonly block_hash: string };
};

export type TransferEvent =
  | TransferSeen
  | TransferClaimed
  | TransferCommitted
  | TransferUnmatched
  | CandidatesRanked
  | TransferResolved
  | AttributionFailed
  | TransferSetAside
  | TransferReopened
  | TransferReorgedOut;

export type TransferKey = { readonly network: NetworkId; readonly txHash: string; readonly ordinal: number };
