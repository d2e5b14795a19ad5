import type { NetworkId, TokenId } from '../../kernel/tokens';

/** Seen in a block; again, with the new block, when a reorganisation moved it. */
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

export type TransferClaimed = {
  readonly type: 'TransferClaimed';
  readonly data: { readonly by: string };
};

/** `no_reservation`: nothing was reserved on its amount then. `credit_refused`: the payment could not take it any more. */
export type TransferUnmatched = {
  readonly type: 'TransferUnmatched';
  readonly data: { readonly reason: 'no_reservation' | 'credit_refused'; readonly candidate: string | null };
};

export type TransferReorgedOut = {
  readonly type: 'TransferReorgedOut';
  readonly data: { readonly block_hash: string };
};

export type TransferEvent = TransferSeen | TransferClaimed | TransferUnmatched | TransferReorgedOut;

export type TransferKey = { readonly network: NetworkId; readonly txHash: string; readonly ordinal: number };
