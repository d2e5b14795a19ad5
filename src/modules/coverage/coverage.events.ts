/** Every block from `from_number` to `to_number` was scanned once, by its hash, and each of its transfers is credited or unmatched. */
export type CoverageSealed = {
  readonly type: 'CoverageSealed';
  readonly data: {
    readonly from_number: number;
    readonly to_number: number;
    readonly to_hash: string;
    readonly to_time: string;
  };
};

export type CoverageEvent = CoverageSealed;
