import type { TokenId } from '../../vocabulary/tokens';

/** The wallet, the token and the UTC day, written `2026-11-01`, that a stream is about. */
export type BookPlace = {
  readonly wallet_id: string;
  readonly token_id: TokenId;
  readonly day: string;
};

/** The wallet's balance right after the last final block of the day, as the chain tells it. */
export type BalanceObserved = {
  readonly type: 'BalanceObserved';
  readonly data: BookPlace & {
    readonly block_number: number;
    readonly block_hash: string;
    readonly balance_base_units: string;
  };
};

/**
 * `unknown_transfer`: the chain has the transfer, and the log does not. `missing_transfer`: the log counts the
 * transfer, and the chain does not have it. `other_value`: both have it, with different values. `balance`: the balance
 * moved by more or less than all transfers of the day.
 */
export const DIFFERENCE_KINDS = ['unknown_transfer', 'missing_transfer', 'other_value', 'balance'] as const;
export type DifferenceKind = (typeof DIFFERENCE_KINDS)[number];

/** A part of a day's difference. Hash and ordinal are null for a balance that moved by no transfer. */
export type NamedDifference = {
  readonly kind: DifferenceKind;
  /** Signed: the amount that the chain has beyond the log. */
  readonly amount_base_units: string;
  readonly tx_hash: string | null;
  readonly ordinal: number | null;
};

/**
 * The day's sums, each by the log for a transfer that the log knows. Opening or closing is null where no balance was
 * observed; the difference is then that of the transfers alone.
 */
export type DayReconciled = {
  readonly type: 'DayReconciled';
  readonly data: BookPlace & {
    readonly opening_base_units: string | null;
    readonly credited_base_units: string;
    readonly unmatched_base_units: string;
    readonly unrelated_base_units: string;
    readonly dust_base_units: string;
    readonly sent_base_units: string;
    readonly closing_base_units: string | null;
    readonly difference_base_units: string;
    /** Transfers of the wallet on the chain. */
    readonly transfers: number;
    /** The largest differences; `differences_in_all` counts the others as well. */
    readonly differences: readonly NamedDifference[];
    readonly differences_in_all: number;
  };
};

export type BalanceEvent = BalanceObserved | DayReconciled;
