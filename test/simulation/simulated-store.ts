import { parseStreamName, type NewEvent, type RecordedEvent } from '../../src/kernel/event';
import {
  MAX_DELIVERIES,
  OutcomeUnknown,
  START_OF_LOG,
  StoreUnavailable,
  type ConsumeOptions,
  type EventBatch,
  type EventFilter,
  type EventStore,
  type ExpectedRevision,
  type GroupMessage,
  type GroupStatus,
  type ReadOptions,
} from '../../src/kernel/ports/event-store';
import type { Clock } from '../../src/kernel/clock';
import { invariant } from '../../src/kernel/invariant';
import type { LogPosition } from '../../src/kernel/log-position';
import { outageOf } from '../../src/kernel/outage';
import type { MemoryEventStore } from '../support/memory-event-store';
import type { Prng } from './prng';
import type { Life, Scheduler } from './scheduler';

/** A consumer's pause between two looks, and the pause before a failed message comes again: by simulated time. */
const LOOK_EVERY_MS = 200;
const RETRY_AFTER_MS = 1_000;

/** Percent of calls. */
export type StoreFaults = { unavailable: number; answerLost: number };

type Group = {
  readonly filter: EventFilter;
  position: LogPosition;
  readonly waiting: GroupMessage[];
  readonly parked: GroupMessage[];
};

/** The state that outlives a process: the log, and the position of each persistent group. */
export class SimulatedDisk {
  /** Looks at each event as it is written; nothing happens before it has. */
  witness: (event: RecordedEvent) => void = () => undefined;
  readonly groups = new Map<string, Group>();
  readonly faults: StoreFaults = { unavailable: 0, answerLost: 0 };
  /** Messages in the hands of a process; a dead one's are given to the next. */
  readonly inHand = new Map<Life, Set<{ readonly group: Group; readonly message: GroupMessage }>>();

  constructor(readonly log: MemoryEventStore) {}

  async append(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]) {
    const before = await this.log.lastPosition();
    const answer = await this.log.append(stream, expected, events);
    const written = this.log.page({ categories: [parseStreamName(stream).category] }, before).events;
    for (const event of written) this.witness(event);
    return answer;
  }

  /** Messages of a dead process come again, as from a connection that broke. */
  takeBack(life: Life): void {
    for (const { group, message } of this.inHand.get(life) ?? []) group.waiting.push(message);
    this.inHand.delete(life);
  }
}

/**
 * The store as one process reaches it: each call waits for its turn before it acts and before it answers, and may fail
 * between.
 */
export class SimulatedStore implements EventStore {
  private readonly clock: Clock;

  constructor(
    private readonly disk: SimulatedDisk,
    private readonly scheduler: Scheduler,
    private readonly life: Life,
    private readonly prng: Prng,
    /** The delay of a subscription's events, in milliseconds. */
    private readonly lateMs: (filter: EventFilter) => number = () => 0,
  ) {
    this.clock = scheduler.clockOf(life);
  }

  async append(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]) {
    await this.turn();
    if (this.prng.chance(this.disk.faults.answerLost)) {
      const isWritten = this.prng.chance(50);
      if (isWritten) await this.disk.append(stream, expected, events);
      await this.scheduler.turn(this.life);
      throw new OutcomeUnknown(`${stream}: the answer was lost`);
    }
    const answer = await this.disk.append(stream, expected, events);
    await this.scheduler.turn(this.life);
    return answer;
  }

  async readStream(stream: string, options?: ReadOptions) {
    await this.turn();
    return this.disk.log.readStream(stream, options);
  }

  async *subscribe(filter: EventFilter, after: LogPosition, signal: AbortSignal): AsyncGenerator<EventBatch> {
    let position = after;
    for (let isFirst = true; !signal.aborted; isFirst = false) {
      await this.scheduler.turn(this.life);
      const batch = this.disk.log.page(filter, position);
      if (batch.events.length > 0) await this.clock.wait(this.lateMs(filter), signal);
      if (isFirst || batch.position > position) yield batch;
      position = batch.position;
      if (batch.live) await this.clock.wait(LOOK_EVERY_MS, signal);
    }
  }

  async ensureGroup(name: string, filter: EventFilter): Promise<void> {
    await this.turn();
    const standing = this.disk.groups.get(name);
    this.disk.groups.set(name, { ...(standing ?? { position: START_OF_LOG, waiting: [], parked: [] }), filter });
  }

  async consume(name: string, handler: (message: GroupMessage) => Promise<void>, options: ConsumeOptions) {
    const group = this.group(name);
    const worker = async (): Promise<void> => {
      while (!options.signal.aborted) {
        await this.scheduler.turn(this.life);
        const message = this.take(group);
        if (message) await this.handle(group, message, handler);
        else await this.clock.wait(LOOK_EVERY_MS, options.signal);
      }
    };
    await Promise.all(Array.from({ length: Math.min(options.concurrency, 3) }, worker));
  }

  async groupStatus(name: string): Promise<GroupStatus> {
    const { parked, position } = this.group(name);
    return { name, parked: parked.length, lastPosition: position };
  }

  parkedEvents(): Promise<readonly RecordedEvent[]> {
    throw new Error('nothing here looks at parked messages');
  }

  replayParked(): Promise<number> {
    throw new Error('nothing here replays parked messages');
  }

  async lastPosition(): Promise<LogPosition> {
    await this.turn();
    return this.disk.log.lastPosition();
  }

  async lastEventUpTo(position: LogPosition) {
    await this.turn();
    return this.disk.log.lastEventUpTo(position);
  }

  async firstEventId() {
    await this.turn();
    return this.disk.log.firstEventId();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  private async turn(): Promise<void> {
    await this.scheduler.turn(this.life);
    if (this.prng.chance(this.disk.faults.unavailable)) throw new StoreUnavailable('the store is away');
  }

  private group(name: string): Group {
    const group = this.disk.groups.get(name);
    invariant(group, `no group named ${name}`);
    return group;
  }

  /** Groups give no order, so neither does this. */
  private take(group: Group): GroupMessage | null {
    const { events, position } = this.disk.log.page(group.filter, group.position);
    group.position = position;
    group.waiting.push(...events.map(event => ({ event, retries: 0 })));
    if (group.waiting.length === 0) return null;
    return group.waiting.splice(this.prng.below(group.waiting.length), 1)[0] ?? null;
  }

  private async handle(
    group: Group,
    message: GroupMessage,
    handler: (message: GroupMessage) => Promise<void>,
  ): Promise<void> {
    const taken = { group, message };
    const inHand = this.disk.inHand.get(this.life) ?? new Set();
    this.disk.inHand.set(this.life, inHand.add(taken));
    try {
      await handler(message);
    } catch (error) {
      const retries = outageOf(error) === null ? message.retries + 1 : message.retries;
      await this.clock.wait(RETRY_AFTER_MS);
      if (retries >= MAX_DELIVERIES) group.parked.push({ event: message.event, retries: 0 });
      else group.waiting.push({ event: message.event, retries });
    }
    inHand.delete(taken);
  }
}
