/** The watcher reads the chain from the block after this one on; nothing was payable on the chain before. */
export type CoverageStarted = {
  readonly type: 'CoverageStarted';
  readonly data: { readonly number: number; readonly hash: string; readonly time: string };
};

/**
 * Every block from `from_number` to `to_number` was scanned once, by its hash, and each of its transfers is credited,
 * unmatched or set aside.
 */
export type CoverageSealed = {
  readonly type: 'CoverageSealed';
  readonly data: {
    readonly from_number: number;
    /** Hash of the block before the range, by which the range joins the range before. */
    readonly from_parent_hash: string;
    readonly to_number: number;
    readonly to_hash: string;
    readonly to_time: string;
    /** The hosts that were asked. */
    readonly providers: readonly string[];
  };
};

/** A reorganisation replaced sealed blocks: the blocks that stand now were scanned in the same way. */
export type CoverageReplaced = {
  readonly type: 'CoverageReplaced';
  readonly data: Omit<CoverageSealed['data'], 'from_parent_hash'>;
};

export type CoverageEvent = CoverageStarted | CoverageSealed | CoverageReplaced;
