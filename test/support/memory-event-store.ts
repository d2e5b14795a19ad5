import { setImmediate as nextTurn } from 'node:timers/promises';
import { parseStreamName, type NewEvent, type RecordedEvent } from '../../src/kernel/event';
import { invariant } from '../../src/kernel/invariant';
import { comparePositions, type LogPosition } from '../../src/kernel/log-position';
import { outageOf } from '../../src/kernel/outage';
import {
  MAX_DELIVERIES,
  START_OF_LOG,
  WrongExpectedRevision,
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
} from '../../src/kernel/ports/event-store';
import { assertJson } from '../../src/kernel/strict-json';
import { Turns } from '../../src/platform/event-store/turns';
import { deepFrozen } from './deep-frozen';

const PAGE_EVENTS = 512;
/** Not at once, or a handler that waits for something would use up its tries before it can come about. */
const RETRY_AFTER_MS = 5;
const RETRY_AFTER_OUTAGE_MS = 200;
const DEFAULT_READ_LIMIT = 4_096;

/** Bytes before the first event and beside each one's data, as a server's own records and headers would take. */
const FIRST_POSITION = 1_193;
const HEADER_BYTES = 87;

type Group = {
  filter: EventFilter;
  /** Events of the log that were looked at. */
  looked: number;
  /** Messages that are held because a store was away, in the log's order; and those whose pause is over. */
  readonly heldBack: GroupMessage[];
  readonly retrying: GroupMessage[];
  readonly turns: Turns;
  readonly parked: RecordedEvent[];
  /** A handler found a store away: for a moment nothing is given. */
  held: boolean;
};

/**
 * The event store port without a disk. Its revisions, repetitions, order and groups keep the contract. Positions are
 * byte offsets, as a server gives them, and one at which no event begins is refused.
 */
export class MemoryEventStore implements EventStore {
  private readonly log: RecordedEvent[];
  /** The place in the log of the event at a position. */
  private readonly places: Map<LogPosition, number>;
  private readonly streams: Map<string, RecordedEvent[]>;
  private readonly ids: Set<string>;
  private readonly groups: Map<string, Group>;
  private readonly closing = new AbortController();
  private readonly waiting: Set<() => void>;

  /** With `closed`, the content of that store, as when its data is opened again. */
  constructor(closed?: MemoryEventStore) {
    this.log = closed?.log ?? [];
    this.places = closed?.places ?? new Map<LogPosition, number>();
    this.streams = closed?.streams ?? new Map<string, RecordedEvent[]>();
    this.ids = closed?.ids ?? new Set<string>();
    this.waiting = closed?.waiting ?? new Set<() => void>();
    this.groups = closed?.groups ?? new Map<string, Group>();
  }

  async append(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]): Promise<{ revision: number }> {
    parseStreamName(stream);
    if (events.length === 0) throw new RangeError(`${stream}: nothing to append`);
    const standing = this.streams.get(stream) ?? [];
    const before = expected === 'no_stream' ? -1 : expected;
    const repeated = standing.slice(before + 1, before + 1 + events.length).map(({ id }) => id);
    if (repeated.length > 0 && repeated.join() === events.map(({ id }) => id).join()) {
      return { revision: before + events.length };
    }
    const head = standing.length - 1;
    if (before !== head) throw new WrongExpectedRevision(stream, expected, head < 0 ? 'no_stream' : head);
    const ids = new Set(events.map(({ id }) => id));
    const taken = ids.size < events.length || events.some(({ id }) => this.ids.has(id));
    invariant(!taken, `${stream}: an event id of this append is another recorded event's`);
    const recorded = events.map((event, index) => this.record(stream, head + 1 + index, event));
    standing.push(...recorded.map(event => this.add(event)));
    this.streams.set(stream, standing);
    this.ring();
    return { revision: head + events.length };
  }

  readStream(stream: string, options: ReadOptions = {}): Promise<readonly RecordedEvent[]> {
    const { direction = 'forwards', limit = DEFAULT_READ_LIMIT } = options;
    const standing = this.streams.get(stream) ?? [];
    const forwards = direction === 'forwards';
    const from = options.from ?? (forwards ? 0 : standing.length - 1);
    const found = forwards ? standing.slice(from) : standing.slice(0, from + 1).reverse();
    return Promise.resolve(found.slice(0, limit));
  }

  async *subscribe(
    filter: LogFilter,
    after: LogPosition,
    signal: AbortSignal,
  ): AsyncGenerator<EventBatch, void, undefined> {
    const until = this.until(signal);
    let position = after;
    for (let isFirst = true; !until.aborted; isFirst = false) {
      const rung = this.nextRing();
      const batch = this.page(filter, position);
      if (isFirst || batch.position > position) yield batch;
      position = batch.position;
      if (batch.live) await rung;
      else await nextTurn();
    }
  }

  ensureGroup(name: string, filter: EventFilter): Promise<void> {
    const group = this.groups.get(name);
    if (group) group.filter = filter;
    else this.groups.set(name, newGroup(filter));
    return Promise.resolve();
  }

  async consume(
    name: string,
    handler: (message: GroupMessage) => Promise<void>,
    { concurrency, signal }: ConsumeOptions,
  ): Promise<void> {
    const group = this.group(name);
    const until = this.until(signal);
    let free = concurrency;
    let wake = (): void => undefined;
    while (!until.aborted || free < concurrency) {
      const message = until.aborted || free === 0 ? null : this.take(group);
      if (message) {
        free -= 1;
        void this.handle(group, message, handler).then(() => {
          free += 1;
          wake();
        });
      } else await new Promise<void>(resolve => this.waiting.add((wake = resolve)));
    }
  }

  async groupStatus(name: string): Promise<GroupStatus> {
    const { parked, looked } = this.group(name);
    return { name, parked: parked.length, lastPosition: this.log[looked - 1]?.position ?? START_OF_LOG };
  }

  async parkedEvents(name: string, limit: number): Promise<readonly RecordedEvent[]> {
    return this.group(name).parked.slice(0, limit);
  }

  async replayParked(name: string): Promise<number> {
    const group = this.group(name);
    const replayed = group.parked.splice(0);
    group.retrying.push(...replayed.map(event => ({ event, retries: 0 })));
    this.ring();
    return replayed.length;
  }

  lastPosition(): Promise<LogPosition> {
    return Promise.resolve(this.log.at(-1)?.position ?? START_OF_LOG);
  }

  lastEventUpTo(position: LogPosition): Promise<LogMark | null> {
    const event = this.log[this.places.get(position) ?? -1];
    return Promise.resolve(event ? { position, id: event.id } : null);
  }

  firstEventId(): Promise<string | null> {
    return Promise.resolve(this.log[0]?.id ?? null);
  }

  close(): Promise<void> {
    this.closing.abort();
    return Promise.resolve();
  }

  private record(stream: string, revision: number, event: NewEvent): Omit<RecordedEvent, 'position'> {
    // Only JSON values are kept, and nobody can change them later: an adapter with a disk gives the same.
    assertJson(event, `${stream}#${revision}`);
    const { id, type, data, metadata } = JSON.parse(JSON.stringify(event)) as NewEvent;
    return { id, stream, revision, type, data, metadata };
  }

  private add(unplaced: Omit<RecordedEvent, 'position'>): RecordedEvent {
    const position = this.nextStart as LogPosition;
    this.places.set(position, this.log.length);
    const event = deepFrozen({ ...unplaced, position });
    this.log.push(event);
    this.ids.add(event.id);
    return event;
  }

  private get nextStart(): number {
    const last = this.log.at(-1);
    if (!last) return FIRST_POSITION;
    const start: number = last.position;
    return start + HEADER_BYTES + JSON.stringify(last.data).length;
  }

  /**
   * The next events after a position, as a subscription would give them. Throws RangeError where no event begins at the
   * position.
   */
  page(filter: LogFilter, after: LogPosition): EventBatch {
    const events: RecordedEvent[] = [];
    const place = after === START_OF_LOG ? -1 : this.places.get(after);
    if (place === undefined) throw new RangeError(`no event begins at position ${after}`);
    let looked = place + 1;
    while (events.length < PAGE_EVENTS && looked < this.log.length) {
      const event = this.log[looked++] as RecordedEvent;
      if (matches(filter, event)) events.push(event);
    }
    return { events, position: this.log[looked - 1]?.position ?? after, live: looked >= this.log.length };
  }

  private group(name: string): Group {
    const group = this.groups.get(name);
    if (!group) throw new RangeError(`no group named ${name}: ensureGroup makes it`);
    return group;
  }

  private take(group: Group): GroupMessage | null {
    if (group.held) return null;
    const first = group.heldBack.shift();
    if (first) return first;
    while (group.looked < this.log.length && !matches(group.filter, this.log[group.looked] as RecordedEvent)) {
      group.looked++;
    }
    const event = this.log[group.looked];
    const turn = group.turns.next(event !== undefined, group.retrying.length > 0);
    if (turn === 'again') return group.retrying.shift() ?? null;
    if (!event) return null;
    group.looked++;
    return { event, retries: 0 };
  }

  private async handle(
    group: Group,
    message: GroupMessage,
    handler: (message: GroupMessage) => Promise<void>,
  ): Promise<void> {
    try {
      await handler(message);
    } catch (error) {
      const outage = outageOf(error);
      const retries = outage === null ? message.retries + 1 : message.retries;
      if (retries >= MAX_DELIVERIES) group.parked.push(message.event);
      else if (outage === 'engine') this.hold(group, message);
      else {
        const delayMs = outage === null ? RETRY_AFTER_MS : RETRY_AFTER_OUTAGE_MS;
        setTimeout(() => this.retry(group, { event: message.event, retries }), delayMs).unref();
      }
    }
  }

  private hold(group: Group, message: GroupMessage): void {
    group.held = true;
    group.heldBack.push(message);
    group.heldBack.sort((one, other) => comparePositions(one.event.position, other.event.position));
    setTimeout(() => {
      group.held = false;
      this.ring();
    }, RETRY_AFTER_MS).unref();
  }

  private retry(group: Group, message: GroupMessage): void {
    group.retrying.push(message);
    this.ring();
  }

  private ring(): void {
    const woken = [...this.waiting];
    this.waiting.clear();
    for (const wake of woken) wake();
  }

  /** Aborts with `signal` or when the store closes, and then wakes every waiting caller. */
  private until(signal: AbortSignal): AbortSignal {
    const until = AbortSignal.any([signal, this.closing.signal]);
    until.addEventListener('abort', () => this.ring(), { once: true });
    return until;
  }

  /** Taken before looking, so that a change in between is not missed; may resolve without a change. */
  private nextRing(): Promise<void> {
    return new Promise(resolve => this.waiting.add(resolve));
  }
}

function newGroup(filter: EventFilter): Group {
  return { filter, looked: 0, heldBack: [], retrying: [], turns: new Turns(), parked: [], held: false };
}

function matches(filter: LogFilter, event: RecordedEvent): boolean {
  return filter === 'all' || filter.categories.includes(parseStreamName(event.stream).category);
}
