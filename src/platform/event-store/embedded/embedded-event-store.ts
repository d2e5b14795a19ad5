import { setMaxListeners } from 'node:events';
import type { Clock } from '../../../kernel/clock';
import type { Entropy } from '../../../kernel/entropy';
import type { NewEvent, RecordedEvent } from '../../../kernel/event';
import type { LogPosition } from '../../../kernel/log-position';
import type {
  ConsumeOptions,
  EventBatch,
  EventFilter,
  EventStore,
  ExpectedRevision,
  GroupMessage,
  GroupStatus,
  LogFilter,
  LogMark,
  ReadOptions,
} from '../../../kernel/ports/event-store';
import { SystemEntropy } from '../../clock/system-entropy';
import type { EmbeddedFile } from '../../embedded-file/embedded-file';
import {
  assertAppend,
  assertConcurrency,
  assertGroupName,
  assertLimit,
  boundedRead,
  MOST_HANDLERS,
} from '../argument-bounds';
import type { OnHandlerError } from '../handler-failure';
import { Bell } from './bell';
import { EventLog } from './event-log';
import { EVENT_SCHEMA } from './event-schema';
import { GroupTable } from './group-table';
import { PersistentGroup } from './persistent-group';
import { catchUp } from './subscription';

type Handler = (message: GroupMessage) => Promise<void>;
type ActiveGroup = { readonly group: PersistentGroup; consumers: number };

/** The log in the embedded file. Closing it ends its subscriptions and consumers; the file is its owner's to close. */
export class EmbeddedEventStore implements EventStore {
  private readonly log: EventLog;
  private readonly table: GroupTable;
  private readonly bell = new Bell();
  private readonly closing = new AbortController();
  private readonly active = new Map<string, ActiveGroup>();
  private readonly consuming = new Set<Promise<void>>();
  private readonly stopListening: () => void;
  private isRinging = false;

  /** `onHandlerError` is called for every failed delivery of a group's message. */
  constructor(
    file: EmbeddedFile,
    private readonly clock: Clock,
    private readonly onHandlerError: OnHandlerError = () => undefined,
    private readonly entropy: Entropy = new SystemEntropy(),
  ) {
    file.define(EVENT_SCHEMA);
    this.log = new EventLog(file);
    this.table = new GroupTable(file);
    this.stopListening = file.onForeignCommit(() => {
      this.bell.ring();
      for (const { group } of this.active.values()) group.wakeForeign();
    });
  }

  async append(
    stream: string,
    expected: ExpectedRevision,
    events: readonly NewEvent[],
  ): Promise<{ readonly revision: number }> {
    assertAppend(stream, expected, events.length);
    const revision = await this.log.append(stream, expected, events);
    this.ringSoon();
    return { revision };
  }

  readStream(stream: string, options: ReadOptions = {}): Promise<readonly RecordedEvent[]> {
    return answer(() => {
      const { direction, from, limit } = boundedRead(options);
      const start = from ?? (direction === 'forwards' ? 0 : Number.MAX_SAFE_INTEGER);
      return this.log.readStream(stream, start, direction, limit);
    });
  }

  subscribe(filter: LogFilter, after: LogPosition, signal: AbortSignal): AsyncIterable<EventBatch> {
    const until = AbortSignal.any([signal, this.closing.signal]);
    return catchUp(this.log, this.bell, this.clock, filter, after, until);
  }

  async ensureGroup(name: string, filter: EventFilter): Promise<void> {
    assertGroupName(name);
    await this.table.ensure(name, filter);
    this.active.get(name)?.group.changeFilter(filter);
  }

  async consume(name: string, handler: Handler, options: ConsumeOptions): Promise<void> {
    assertConcurrency(options);
    const { concurrency, signal } = options;
    const active = this.active.get(name) ?? { group: this.groupOf(name), consumers: 0 };
    this.active.set(name, active);
    active.consumers++;
    const consumed = this.handleAll(name, active, handler, concurrency, signal);
    this.consuming.add(consumed);
    try {
      await consumed;
    } finally {
      this.consuming.delete(consumed);
    }
  }

  groupStatus(name: string): Promise<GroupStatus> {
    return this.active.get(name)?.group.status() ?? answer(() => this.table.status(name));
  }

  async parkedEvents(name: string, limit: number): Promise<readonly RecordedEvent[]> {
    assertLimit(limit);
    this.table.load(name);
    await this.active.get(name)?.group.save();
    return this.table.parked(name, limit).map(position => this.log.readAt(position));
  }

  async replayParked(name: string): Promise<number> {
    const active = this.active.get(name);
    if (active) return active.group.replayParked();
    this.table.load(name);
    return this.table.replayParked(name);
  }

  lastPosition(): Promise<LogPosition> {
    return answer(() => this.log.lastPosition());
  }

  lastEventUpTo(position: LogPosition): Promise<LogMark | null> {
    return answer(() => this.log.lastEventUpTo(position));
  }

  firstEventId(): Promise<string | null> {
    return answer(() => this.log.firstEventId());
  }

  async close(): Promise<void> {
    this.stopListening();
    this.closing.abort();
    await Promise.allSettled(this.consuming);
  }

  /** Readers look once for all appends of one commit, and after the writers of these have gone on. */
  private ringSoon(): void {
    if (this.isRinging) return;
    this.isRinging = true;
    setImmediate(() => {
      this.isRinging = false;
      this.bell.ring();
      for (const { group } of this.active.values()) group.wake();
    });
  }

  private groupOf(name: string): PersistentGroup {
    return new PersistentGroup(name, this.table.load(name), this.table, this.log, this.clock, this.entropy);
  }

  /** The failure of one worker stops the others, so that it is reported at once. */
  private async handleAll(
    name: string,
    active: ActiveGroup,
    handler: Handler,
    concurrency: number,
    signal: AbortSignal,
  ): Promise<void> {
    const failing = new AbortController();
    const until = AbortSignal.any([signal, this.closing.signal, failing.signal]);
    // Each worker waits on this signal.
    setMaxListeners(2 * MOST_HANDLERS, until);
    const workers = Array.from({ length: concurrency }, async () => {
      try {
        await this.handleInTurn(name, active.group, handler, until);
      } catch (error) {
        failing.abort();
        throw error;
      }
    });
    const ends = await Promise.allSettled(workers);
    await this.leave(name, active);
    const failed = ends.find(end => end.status === 'rejected');
    if (failed) throw failed.reason;
  }

  private async handleInTurn(
    name: string,
    group: PersistentGroup,
    handler: Handler,
    until: AbortSignal,
  ): Promise<void> {
    for (let message = await group.take(until); message; message = await group.take(until)) {
      try {
        await handler(message);
      } catch (error) {
        this.onHandlerError(name, message.event, error, group.fail(message, error));
        continue;
      }
      group.acknowledge(message.event.position);
    }
  }

  private async leave(name: string, active: ActiveGroup): Promise<void> {
    // A checkpoint that cannot be written costs repeated messages only.
    await active.group.save().catch(() => undefined);
    if (--active.consumers > 0) return;
    this.active.delete(name);
    active.group.end();
  }
}

/** Reads are synchronous inside, and their errors must become rejections. */
function answer<T>(read: () => T): Promise<T> {
  return new Promise(resolve => resolve(read()));
}
