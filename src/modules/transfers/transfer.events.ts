import type { ErrorCode } from '../../kernel/errors';
import type { NetworkId, TokenId } from '../../kernel/tokens';

/**
 * Seen in a block; again, with the new block, when a reorganisation moved it, and with the right facts where a provider
 * told others at first.
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
 * `too_many_waiting`: its payment's time is not covered yet, and as many transfers of that amount or address wait for it as
 * may. `given_up`: an administrator has ended such a wait.
 */
export type TransferUnmatched = {
  readonly type: 'TransferUnmatched';
  readonly data: {
    readonly reason: 'no_reservation' | 'credit_refused' | QueuedUndecided;
    readonly candidate: string | null;
  };
};

/** Whose it may be, the likeliest first: `reason` in plain words, `distance` from what that payment asked for. */
export type RankedCandidate = {
  readonly payment_intent: string;
  readonly merchant_id: string;
  readonly reason: string;
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
