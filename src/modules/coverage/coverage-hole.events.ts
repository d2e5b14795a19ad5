import type { NetworkId } from '../../kernel/tokens';

/** A block could not be read whole. Detection goes on behind it; deadlines behind it wait. */
export type CoverageHoleOpened = {
  readonly type: 'CoverageHoleOpened';
  readonly data: {
    readonly network_id: NetworkId;
    /** Of the chain, as in the coverage's streams. */
    readonly instance: string;
    readonly block_number: number;
    readonly block_hash: string;
    readonly block_time: string;
    /** The wall's moment at which the block was first seen; on a sandbox chain its transfers count from then. */
    readonly seen_at: string;
    readonly reason: 'disputed' | 'unreadable';
    /** Null where it may be any transaction of the block. */
    readonly tx_hash: string | null;
  };
};

/** The block was read whole after all, and each of its transfers found its place. */
export type CoverageHoleRead = { readonly type: 'CoverageHoleRead'; readonly data: Record<string, never> };

/** A reorganisation replaced the block. */
export type CoverageHoleDropped = { readonly type: 'CoverageHoleDropped'; readonly data: Record<string, never> };

/** An administrator lets deadlines pass, though the block was never read whole. */
export type CoverageHoleClosed = {
  readonly type: 'CoverageHoleClosed';
  readonly data: { readonly note: string };
};

export type CoverageHoleEvent = CoverageHoleOpened | CoverageHoleRead | CoverageHoleDropped | CoverageHoleClosed;
