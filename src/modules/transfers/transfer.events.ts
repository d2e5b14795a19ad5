import type { ErrorCode } from '../../kernel/errors';
import type { NetworkId, TokenId } from '../../kernel/tokens';

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

/** By a reservation that its amount meets, or by whoever named its hash for a payment. The credit comes after it. */
export type TransferClaimed = {
  readonly type: 'TransferClaimed';
  readonly data: { readonly payment_intent: string };
};

/**
 * The claim's payment is about to count it in this block: until that payment has dropped the transfer, nobody else can
 * have it.
 */
export type TransferCommitted = {
  readonly type: 'TransferCommitted';
  readonly data: { readonly payment_intent: string; readonly block_hash: string };
};

/** Why a transfer lies in the queue before the payment was decided on that its amount meets. */
export type QueuedUndecided = 'too_many_waiting' | 'given_up';

/**
 * `no_reservation`: nothing was reserved on its amount then. `credit_refused`: the payment could not take it any more.
 * `too_many_waiting`: its payment's time is not covered yet, and as many transfers of that amount or address wait for
 * it as may. `given_up`: an administrator has ended such a wait.
 */
export type TransferUnmatched = {
  readonly type: 'TransferUnmatched';
  readonly data: {
    readonly reason: 'no_reservation' | 'credit_refused' | QueuedUndecided;
    readonly candidate: string | null;
  };
};

/**
 * How a mistake that payers make explains the amount; `reserved`: no mistake does, and the amount met a reservation.
 */
export type AmountEvidence =
  | { readonly code: 'exact' | 'fiat_figure' | 'digits_swapped' | 'reserved' }
  /** Cut or rounded to so many decimals. */
  | { readonly code: 'rounded'; readonly decimals: number }
  /** Less what exchanges take off a withdrawal. */
  | { readonly code: 'withdrawal_fee'; readonly fee_base_units: string; readonly is_rounded: boolean }
  /** The other transfer makes up the amount together with this one. */
  | { readonly code: 'in_parts'; readonly other_transfer: string; readonly is_same_sender: boolean }
  | { readonly code: 'short' | 'over'; readonly off_base_units: string };

/** What speaks for a candidate. */
export type CandidateEvidence = {
  readonly amount: AmountEvidence;
  /** The amount is measured by what a short payment still asks for. */
  readonly is_of_remainder: boolean;
  /** When it was paid: so long before the quote, after it, or after the last moment for the amount. */
  readonly paid: { readonly code: 'before_quote' | 'after_quote' | 'after_window'; readonly by_ms: number };
  /** `payer`: who sent the payment's first transfer. `known`: somebody who has paid the merchant before. */
  readonly sender: 'payer' | 'known' | null;
  /** Why the transfer lies in the queue, for the payment that its entry names; else how that payment stands. */
  readonly standing: TransferUnmatched['data']['reason'] | 'paid' | 'ended' | null;
};

/**
 * Whose a transfer may be, the likeliest first. `distance_base_units`: how far it is from what that payment asked for.
 */
export type RankedCandidate = {
  readonly payment_intent: string;
  readonly merchant_id: string;
  readonly evidence: CandidateEvidence;
  readonly distance_base_units: string;
};

export type CandidatesRanked = {
  readonly type: 'CandidatesRanked';
  readonly data: { readonly candidates: readonly RankedCandidate[] };
};

/** An administrator gave it to a payment. The credit comes after it. */
export type TransferResolved = {
  readonly type: 'TransferResolved';
  readonly data: { readonly payment_intent: string; readonly note: string };
};

/**
 * The payment of the resolution could not take it: out of the queue, and counted for nobody until it is opened again.
 */
export type AttributionFailed = {
  readonly type: 'AttributionFailed';
  readonly data: { readonly payment_intent: string; readonly refusal: ErrorCode };
};

export type TransferReopened = {
  readonly type: 'TransferReopened';
  readonly data: { readonly reason: string };
};

/**
 * Off the chain, or off its payment. The claim that it ends is remembered: the same money coming back is that payment's
 * again.
 */
export type TransferReorgedOut = {
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
  | TransferReopened
  | TransferReorgedOut;

export type TransferKey = { readonly network: NetworkId; readonly txHash: string; readonly ordinal: number };
