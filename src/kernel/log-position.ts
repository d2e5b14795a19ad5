declare const brand: unique symbol;

/**
 * A place in the log. Positions are compared and never computed with: on EventStoreDB they are byte offsets, and a
 * number that begins no record is refused for ever. A lint rule refuses arithmetic on them.
 */
export type LogPosition = number & { readonly [brand]: 'LogPosition' };

export function laterPosition(one: LogPosition, other: LogPosition): LogPosition {
  return one > other ? one : other;
}

export function earlierPosition(one: LogPosition, other: LogPosition): LogPosition {
  return one < other ? one : other;
}

/** Orders as `sort` wants it: the earlier position first. */
export function comparePositions(one: LogPosition, other: LogPosition): -1 | 0 | 1 {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
