import type { NewEvent, RecordedEvent } from '../event';
import type { LogPosition } from '../log-position';

/**
 * The revision that the stream's last event must have, or the demand that the stream does not exist. There is no `any`.
 */
export type ExpectedRevision = number | 'no_stream';

/** The place before the first event: a subscription `after` it sees everything. */
export const START_OF_LOG = -1 as LogPosition;

/**
 * Names the events by the categories of their streams, in every universe. Readers choose the types themselves: an event
 * of an older version may have another type in the log.
 */
export type EventFilter = { readonly categories: readonly string[] };

/** With `all`, events of each category are given, also of one that no reader knows. */
export type LogFilter = EventFilter | 'all';

export type EventBatch = {
  readonly events: readonly RecordedEvent[];
  /** Every matching event up to this position has been given. */
  readonly position: LogPosition;
  /** True when nothing more was waiting as this batch was made. */
  readonly live: boolean;
};

/** An event by its place and its id: a log with another id at that place, or with none, is a different log. */
export type LogMark = { readonly position: LogPosition; readonly id: string };

export type ReadOptions = {
  /** The first revision to read. The default is 0 when reading forwards, and the end when reading backwards. */
  readonly from?: number;
  readonly direction?: 'forwards' | 'backwards';
  /** The greatest number of events; 4,096 by default. */
  readonly limit?: number;
};

/** For a stream of which each event tells the whole state. */
export const NEWEST_EVENT: ReadOptions = { direction: 'backwards', limit: 1 };

export type GroupMessage = {
  readonly event: RecordedEvent;
  /** The number of times that a handler has failed at the message, outages left out: 0 at the first try. */
  readonly retries: number;
};

export type ConsumeOptions = {
  /** Handlers under way at once. */
  readonly concurrency: number;
  readonly signal: AbortSignal;
};

export type GroupStatus = { readonly name: string; readonly parked: number; readonly lastPosition: LogPosition };

/**
 * A handler that fails is tried again, this many times at most; then its message is parked. An outage, as outageOf
 * tells it, is not counted. The message is then held and tried again, with growing pauses, for as long as the outage
 * lasts. EventStoreDB keeps no count of failures alone, so there the count begins anew with each consumer. A message is
 * parked there after so many failures in one consumer. The embedded store counts across restarts.
 */
export const MAX_DELIVERIES = 10;

/**
 * While so many messages wait for their next try, a consumer takes no new one: then the fault is one that all of them
 * share.
 */
export const WAITING_MESSAGES_LIMIT = 1_024;

/**
 * The log. An append is answered only after it is durable. Appending the same event ids at the same expected revision
 * again is a no-op, with the answer of the first append.
 */
export interface EventStore {
  /**
   * Throws WrongExpectedRevision, OutcomeUnknown or StoreUnavailable. In the first and the last case nothing was
   * written.
   */
  append(
    stream: string,
    expected: ExpectedRevision,
    events: readonly NewEvent[],
  ): Promise<{ readonly revision: number }>;
  /** An unknown stream reads as empty. */
  readStream(stream: string, options?: ReadOptions): Promise<readonly RecordedEvent[]>;
  /**
   * A catch-up subscription in log order. Dropped connections are mended inside, so the subscription ends only when
   * `signal` aborts.
   */
  subscribe(filter: LogFilter, after: LogPosition, signal: AbortSignal): AsyncIterable<EventBatch>;
  /** Creates the persistent group, reading from the log's start, or updates its filter. */
  ensureGroup(name: string, filter: EventFilter): Promise<void>;
  /** Competing consumer: resolves when `signal` aborts. A handler's success acknowledges; groups give no order. */
  consume(name: string, handler: (message: GroupMessage) => Promise<void>, options: ConsumeOptions): Promise<void>;
  groupStatus(name: string): Promise<GroupStatus>;
  /** The events of parked messages, in the order in which they were parked, or in the log's; at most `limit`. */
  parkedEvents(name: string, limit: number): Promise<readonly RecordedEvent[]>;
  replayParked(name: string): Promise<number>;
  /** Position of the last event of the log, START_OF_LOG when empty. */
  lastPosition(): Promise<LogPosition>;
  /**
   * The last event at or before `position`, which must come from a batch, an event or `lastPosition`. Null where there
   * is none, and where no event of this log begins at the position.
   */
  lastEventUpTo(position: LogPosition): Promise<LogMark | null>;
  /** The id of the log's first event, by which one log is told from another; null while it is empty. */
  firstEventId(): Promise<string | null>;
  close(): Promise<void>;
}

export class WrongExpectedRevision extends Error {
  constructor(
    readonly stream: string,
    readonly expected: ExpectedRevision,
    readonly actual: ExpectedRevision,
  ) {
    super(`${stream} is at ${actual}, not at ${expected}`);
    this.name = 'WrongExpectedRevision';
  }
}

/** The store could not be reached; nothing was written. */
export class StoreUnavailable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StoreUnavailable';
  }
}

/** The append may or may not have been written: the very same bytes must be sent again under the same expectation. */
export class OutcomeUnknown extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'OutcomeUnknown';
  }
}
