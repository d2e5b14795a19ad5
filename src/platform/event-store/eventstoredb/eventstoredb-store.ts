import { setMaxListeners } from 'node:events';
import type { Clock } from '../../../kernel/clock';
import type { Entropy } from '../../../kernel/entropy';
import { parseStreamName, type NewEvent, type RecordedEvent } from '../../../kernel/event';
import type { LogPosition } from '../../../kernel/log-position';
import {
  StoreUnavailable,
  type ConsumeOptions,
  type EventBatch,
  type EventFilter,
  type EventStore,
  type ExpectedRevision,
  type GroupMessage,
  type GroupStatus,
  type LogFilter,
  type LogMark,
  type ReadOptions,
} from '../../../kernel/ports/event-store';
import { SystemClock } from '../../clock/system-clock';
import { SystemEntropy } from '../../clock/system-entropy';
import type { OnHandlerError } from '../handler-failure';
import { BackOff } from './back-off';
import { CatchUp, type OnDrop } from './catch-up';
import { asStoreError, isRefused } from './client-errors';
import { connector } from './connect';
import { decodeEvent, encodeEvents } from './event-codec';
import { assertFilter } from './event-filter';
import type { Connect } from './event-store-client';
import { GroupConsumer, type GroupHooks } from './group-consumer';
import { Groups } from './groups';
import { GuardedClient, streamReadOptions } from './guarded-client';
import { firstOwnEventId, lastOwnEventUpTo, LogHead } from './log-positions';

const DEFAULT_READ_LIMIT = 4_096;
const LONGEST_READ = 65_536;
const LONGEST_APPEND = 4_096;
const MOST_HANDLERS = 256;
const GROUP_NAME_PATTERN = /^[a-z][a-z0-9_.-]{0,99}$/;

type EventStoreDbHooks = { readonly onDrop?: OnDrop; readonly onHandlerError?: OnHandlerError };

/** The log in EventStoreDB 23.10 or later, or KurrentDB. Positions are the server's commit positions. */
export class EventStoreDbStore implements EventStore {
  private readonly guarded: GuardedClient;
  private readonly groups: Groups;
  private readonly head: LogHead;
  private readonly hooks: GroupHooks;
  private readonly closing = new AbortController();
  private readonly consuming = new Set<Promise<void>>();

  constructor(
    connect: Connect,
    clock: Clock,
    { onDrop, onHandlerError }: EventStoreDbHooks = {},
    private readonly entropy: Entropy = new SystemEntropy(),
  ) {
    this.guarded = new GuardedClient(connect, clock);
    this.groups = new Groups(this.guarded);
    this.head = new LogHead(this.guarded);
    this.hooks = {
      onDrop: (name, error) => quietly(() => onDrop?.(name, error)),
      onHandlerError: (...failure) => quietly(() => onHandlerError?.(...failure)),
    };
  }

  /**
   * Connects, and proves the connection. Throws RangeError on a bad URL, StoreUnavailable when no server answers, and
   * Error when a server refuses.
   */
  static async connect(
    url: string,
    hooks: EventStoreDbHooks = {},
    clock: Clock = new SystemClock(),
    entropy: Entropy = new SystemEntropy(),
  ): Promise<EventStoreDbStore> {
    const store = new EventStoreDbStore(connector(url), clock, hooks, entropy);
    try {
      await store.guarded.check();
      await store.lastPosition();
    } catch (error) {
      await store.close();
      const { cause } = error as Error;
      throw isRefused(cause) ? asStoreError('the server refuses the connection', cause) : error;
    }
    return store;
  }

  async append(
    stream: string,
    expected: ExpectedRevision,
    events: readonly NewEvent[],
  ): Promise<{ readonly revision: number }> {
    parseStreamName(stream);
    if (expected !== 'no_stream') assertWhole('expected revision', expected, 0, Number.MAX_SAFE_INTEGER);
    assertWhole('number of events', events.length, 1, LONGEST_APPEND);
    return { revision: await this.guarded.append(stream, expected, encodeEvents(stream, events)) };
  }

  async readStream(stream: string, options: ReadOptions = {}): Promise<readonly RecordedEvent[]> {
    const { direction = 'forwards', from, limit = DEFAULT_READ_LIMIT } = options;
    assertWhole('limit', limit, 1, LONGEST_READ);
    if (from !== undefined) assertWhole('from', from, 0, Number.MAX_SAFE_INTEGER);
    const events = await this.guarded.readStream(stream, streamReadOptions(direction, from, limit));
    return (events ?? []).map(decodeEvent);
  }

  subscribe(filter: LogFilter, after: LogPosition, signal: AbortSignal): AsyncIterable<EventBatch> {
    assertFilter(filter);
    const until = AbortSignal.any([signal, this.closing.signal]);
    return new CatchUp(this.guarded, this.head, filter, after, until, this.hooks.onDrop).batches();
  }

  async ensureGroup(name: string, filter: EventFilter): Promise<void> {
    if (!GROUP_NAME_PATTERN.test(name)) throw new RangeError(`not a group name: ${name}`);
    assertFilter(filter);
    await this.groups.ensure(name, filter);
  }

  async consume(
    name: string,
    handler: (message: GroupMessage) => Promise<void>,
    { concurrency, signal }: ConsumeOptions,
  ): Promise<void> {
    assertWhole('concurrency', concurrency, 1, MOST_HANDLERS);
    const options = { concurrency, signal: AbortSignal.any([signal, this.closing.signal]) };
    // Every message that waits for its next try listens; their number is bounded, and above the ten of node's warning.
    setMaxListeners(0, options.signal);
    const { guarded, hooks, entropy } = this;
    const { filters } = this.groups;
    const consumer = new GroupConsumer(guarded, name, () => filters.of(name), handler, hooks, options, entropy);
    const consumed = this.loadFilter(name, options.signal).then(() => consumer.run());
    this.consuming.add(consumed);
    try {
      await consumed;
    } finally {
      this.consuming.delete(consumed);
    }
  }

  groupStatus(name: string): Promise<GroupStatus> {
    return this.groups.status(name);
  }

  replayParked(name: string): Promise<number> {
    return this.groups.replayParked(name);
  }

  lastPosition(): Promise<LogPosition> {
    return this.head.position();
  }

  lastEventUpTo(position: LogPosition): Promise<LogMark | null> {
    return lastOwnEventUpTo(this.guarded, position);
  }

  firstEventId(): Promise<string | null> {
    return firstOwnEventId(this.guarded);
  }

  async close(): Promise<void> {
    this.closing.abort();
    await Promise.allSettled(this.consuming);
    await this.guarded.close();
  }

  /** Waits for a server that is away, as consuming does. Throws RangeError where there is no such group. */
  private async loadFilter(name: string, signal: AbortSignal): Promise<void> {
    const backOff = new BackOff(this.guarded.clock);
    do {
      try {
        return await this.groups.filters.load(name);
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error;
        this.hooks.onDrop(name, error);
      }
      await backOff.wait(signal);
    } while (!signal.aborted);
  }
}

/** A failing log line must not end a subscription. */
function quietly(tell: () => void): void {
  try {
    tell();
  } catch {
    return;
  }
}

function assertWhole(what: string, value: number, least: number, most: number): void {
  if (Number.isSafeInteger(value) && value >= least && value <= most) return;
  throw new RangeError(`${what} is not a whole number from ${least} to ${most}: ${value}`);
}
