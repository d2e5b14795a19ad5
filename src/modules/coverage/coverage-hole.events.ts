import type { NetworkId } from '../../kernel/tokens';

/** A block, or a run of them, could not be read whole. Detection goes on behind it; deadlines behind it wait. */
export type CoverageHoleOpened = {
  readonly type: 'CoverageHoleOpened';
  readonly data: {
    readonly network_id: NetworkId;
    /** Of the chain, as in the coverage's streams. */
    readonly instance: string;
    /** The first block. */
    readonly block_number: number;
    /** The last block; the first one again where there is no other. */
    readonly to_number: number;
    /** The last block's hash, which names every block before it. */
    readonly block_hash: string;
    /** No later than the first block's. */
    readonly block_time: string;
    /** The wall's moment at which the block was first seen; on a sandbox chain its transfers count from then. */
    readonly seen_at: string;
    readonly reason: 'disputed' | 'unreadable';
    /** Null where it may be any transaction of the block. */
    readonly tx_hash: string | null;
  };
};

/** Blocks that follow could not be read whole either: one hole holds them all. */
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
    /** No later than that block's. */
    readonly block_time: string;
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

export type CoverageHoleEvent =
  | CoverageHoleOpened
  | CoverageHoleExtended
  | CoverageHoleShortened
  | CoverageHoleRead
  | CoverageHoleDropped
  | CoverageHoleClosed;
