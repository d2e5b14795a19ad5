import type { NetworkId } from '../../vocabulary/networks';

/** A block, or a run of them, could not be read whole. Detection goes on behind it; deadlines behind it wait. */
export type CoverageHoleOpened = {
  readonly type: 'CoverageHoleOpened';
  readonly data: {
    readonly network_id: NetworkId;
    /** The chain's instance, as in the coverage's streams. */
    readonly instance: string;
    /** The first block. */
    readonly block_number: number;
    /** The last block, which is the first one where the hole has no other. */
    readonly to_number: number;
    /** The last block's hash, which names every block before it. */
    readonly block_hash: string;
    /** A time no later than the first block's. */
    readonly block_time: string;
    /** The wall's moment at which the block was first seen; on a local chain its transfers count from that moment. */
    readonly seen_at: string;
    readonly reason: 'disputed' | 'unreadable';
    /** Null where it may be any transaction of the block. */
    readonly tx_hash: string | null;
  };
};

/** The next blocks could not be read whole either: one hole holds them all. */
export type CoverageHoleExtended = {
  readonly type: 'CoverageHoleExtended';
  readonly data: { readonly to_number: number; readonly block_hash: string };
};

/**
 * The first blocks of the hole were read whole after all, and each of their transfers found its place. The hole goes on
 * from the block that follows.
 */
export type CoverageHoleShortened = {
  readonly type: 'CoverageHoleShortened';
  readonly data: {
    /** The first block that is still unread. */
    readonly block_number: number;
    /** A time no later than that block's. */
    readonly block_time: string;
  };
};

/** The block was read whole after all, and each of its transfers found its place. */
type CoverageHoleRead = { readonly type: 'CoverageHoleRead'; readonly data: Record<string, never> };

/** A reorganisation replaced the block. */
type CoverageHoleDropped = { readonly type: 'CoverageHoleDropped'; readonly data: Record<string, never> };

/** An administrator lets deadlines pass, though the block was never read whole. */
type CoverageHoleClosed = {
  readonly type: 'CoverageHoleClosed';
  readonly data: { readonly note: string };
};

export type CoverageHoleEvent =
  | CoverageHoleOpened
  | CoverageHoleExtended
  | CoverageHoleShortened
  | CoverageHoleRead
  | CoverageHoleDropped
  | CoverageHoleClosed;
