import type { NetworkId, TokenId } from '../../kernel/tokens';

/**
 * A transfer met a fault of its own: coverage passes it, the deadlines of its slot's payment wait, and it is tried
 * again.
 */
export type TransferDeferred = {
  readonly type: 'TransferDeferred';
  readonly data: {
    readonly network_id: NetworkId;
    /** Of the chain, as in the coverage's streams. */
    readonly instance: string;
    readonly token_id: TokenId;
    readonly tx_hash: string;
    readonly ordinal: number;
    readonly from: string;
    readonly to: string;
    readonly value_base_units: string;
    readonly block_number: number;
    readonly block_hash: string;
    readonly block_time: string;
    /** The wall's moment at which the block was first seen; on a sandbox chain the transfer counts from then. */
    readonly seen_at: string;
    /** The amount slot whose reservation it meets; null for an amount that lies on no grid. */
    readonly slot: string | null;
    /** The code of the refusal, or the name of the error. */
    readonly fault: string;
  };
};

/** It has its credit, its place in the queue, or is worth nothing. */
export type DeferredTransferFinished = {
  readonly type: 'DeferredTransferFinished';
  readonly data: Record<string, never>;
};

/** A reorganisation replaced its block. */
export type DeferredTransferDropped = {
  readonly type: 'DeferredTransferDropped';
  readonly data: Record<string, never>;
};

/**
 * An administrator lets deadlines pass, though the transfer never found its place: it lies in the queue, where the
 * queue can take it.
 */
export type DeferredTransferGivenUp = {
  readonly type: 'DeferredTransferGivenUp';
  readonly data: { readonly reason: string };
};

export type DeferredTransferEvent =
  TransferDeferred | DeferredTransferFinished | DeferredTransferDropped | DeferredTransferGivenUp;
