import { setMaxListeners } from 'node:events';
import type { Clock } from '../../../kernel/clock';
import type { Entropy } from '../../../kernel/entropy';
import type { NewEvent, RecordedEvent } from '../../../kernel/event';
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
import { assertAppend, assertConcurrency, assertGroupName, assertLimit, boundedRead } from '../argument-bounds';
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
    assertAppend(stream, expected, events.length);
    return { revision: await this.guarded.append(stream, expected, encodeEvents(stream, events)) };
  }

  async readStream(stream: string, options: ReadOptions = {}): Promise<readonly RecordedEvent[]> {
    const { direction, from, limit } = boundedRead(options);
    const events = await this.guarded.readStream(stream, streamReadOptions(direction, from, limit));
    return (events ?? []).map(decodeEvent);
  }

  subscribe(filter: LogFilter, after: LogPosition, signal: AbortSignal): AsyncIterable<EventBatch> {
    assertFilter(filter);
    const until = AbortSignal.any([signal, this.closing.signal]);
    return new CatchUp(this.guarded, this.head, filter, after, until, this.hooks.onDrop).batches();
  }

  async ensureGroup(name: string, filter: EventFilter): Promise<void> {
    assertGroupName(name);
    assertFilter(filter);
    await this.groups.ensure(name, filter);
  }

  async consume(name: string, handler: (message: GroupMessage) => Promise<void>, asked: ConsumeOptions): Promise<void> {
    assertConcurrency(asked);
    const options = { ...asked, signal: AbortSignal.any([asked.signal, this.closing.signal]) };
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

  async parkedEvents(name: string, limit: number): Promise<readonly RecordedEvent[]> {
    assertLimit(limit);
    return (await this.groups.parked(name, limit)).map(decodeEvent);
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
