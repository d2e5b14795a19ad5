import { parseStreamName } from '../../kernel/event';
import type { ConsumeOptions, ExpectedRevision, ReadOptions } from '../../kernel/ports/event-store';

const DEFAULT_READ_LIMIT = 4_096;
const LONGEST_READ = 65_536;
const LONGEST_APPEND = 4_096;
export const MOST_HANDLERS = 256;
const GROUP_NAME_PATTERN = /^[a-z][a-z0-9_.-]{0,99}$/;

type BoundedRead = {
  readonly direction: 'forwards' | 'backwards';
  readonly from: number | undefined;
  readonly limit: number;
};

/** Throws RangeError on what no engine takes. */
export function assertAppend(stream: string, expected: ExpectedRevision, count: number): void {
  parseStreamName(stream);
  if (expected !== 'no_stream') assertWhole('expected revision', expected, 0, Number.MAX_SAFE_INTEGER);
  assertWhole('number of events', count, 1, LONGEST_APPEND);
}

/** The reading that is asked for, with the limit that holds. Throws RangeError on what no engine takes. */
export function boundedRead({ direction = 'forwards', from, limit = DEFAULT_READ_LIMIT }: ReadOptions): BoundedRead {
  assertLimit(limit);
  if (from !== undefined) assertWhole('from', from, 0, Number.MAX_SAFE_INTEGER);
  return { direction, from, limit };
}

/** Throws RangeError on a number of events that no engine reads at once. */
export function assertLimit(limit: number): void {
  assertWhole('limit', limit, 1, LONGEST_READ);
}

export function assertGroupName(name: string): void {
  if (!GROUP_NAME_PATTERN.test(name)) throw new RangeError(`not a group name: ${name}`);
}

export function assertConcurrency({ concurrency }: ConsumeOptions): void {
  assertWhole('concurrency', concurrency, 1, MOST_HANDLERS);
}

function assertWhole(what: string, value: number, least: number, most: number): void {
  if (Number.isSafeInteger(value) && value >= least && value <= most) return;
  throw new RangeError(`${what} is not a whole number from ${least} to ${most}: ${value}`);
}
