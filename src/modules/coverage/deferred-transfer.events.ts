import type { TokenId } from '../../vocabulary/tokens';
import type { NetworkId } from '../../vocabulary/networks';

/**
 * A transfer met a fault of its own and is tried again. Coverage passes the transfer; the deadlines of its slot's
 * payment wait.
 */
export type TransferDeferred = {
  readonly type: 'TransferDeferred';
  readonly data: {
    readonly network_id: NetworkId;
    /** The chain's instance, as in the coverage's streams. */
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
    /** The wall's moment at which the block was first seen; on a local chain the transfer counts from then. */
    readonly seen_at: string;
    /**
     * The amount slot whose payment's deadlines wait. That is the slot whose reservation the transfer meets, or that of
     * the payment to which it may be credited by inference. The whole grid of the address stands here where that
     * payment is not known yet, and null for an amount that lies on no grid.
     */
    readonly slot: string | null;
    /** The code of the refusal, or the name of the error. */
    readonly fault: string;
  };
};

/** The transfer has its credit or its place in the queue, or is dust. */
type DeferredTransferFinished = {
  readonly type: 'DeferredTransferFinished';
  readonly data: Record<string, never>;
};

/** A reorganisation replaced the transfer's block. */
type DeferredTransferDropped = {
  readonly type: 'DeferredTransferDropped';
  readonly data: Record<string, never>;
};

/**
 * An administrator lets deadlines pass, though the transfer never found its place. The transfer goes to the queue,
 * where the queue can take it.
 */
type DeferredTransferGivenUp = {
  readonly type: 'DeferredTransferGivenUp';
  readonly data: { readonly reason: string };
};

export type DeferredTransferEvent =
  TransferDeferred | DeferredTransferFinished | DeferredTransferDropped | DeferredTransferGivenUp;
