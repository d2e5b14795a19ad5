import { SECOND_MS, type Clock } from '../../src/kernel/clock';
import { parseStreamName } from '../../src/kernel/event';
import { laterPosition, type LogPosition } from '../../src/kernel/log-position';
import { START_OF_LOG, type EventBatch, type EventFilter, type EventStore } from '../../src/kernel/ports/event-store';
import type { Log } from '../../src/kernel/ports/log';
import { FeedSeat, type OnPassed } from './feed-seat';

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 10 * SECOND_MS;

type FeedParts = {
  readonly store: Pick<EventStore, 'subscribe' | 'lastPosition'>;
  readonly clock: Clock;
  readonly log: Log;
};

/**
 * One subscription to the log for all readers of a process, from the log's head on. A reader who is behind the feed
 * subscribes alone, and joins after reaching the seat's first position.
 */
export class SharedFeed {
  private readonly seats = new Set<FeedSeat>();
  private categories: ReadonlySet<string>;
  /** Leaves the subscription for another one with more categories; null while the feed is closed. */
  private widening: AbortController | null = null;
  private position = START_OF_LOG;
  private isLive = false;
  private pauseMs = FIRST_PAUSE_MS;

  constructor(
    private readonly parts: FeedParts,
    categories: readonly string[],
  ) {
    this.categories = new Set(categories);
  }

  /** No event comes until the feed has subscribed again. */
  get isPaused(): boolean {
    return this.widening === null;
  }

  /** Resolves when `signal` aborts; never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    const { store, clock, log } = this.parts;
    for (let isFirst = true; !signal.aborted; isFirst = false) {
      try {
        const head = await store.lastPosition();
        if (!isFirst) this.narrow();
        await this.follow(head, signal);
        if (!signal.aborted) log.warn({}, 'the read models lost their subscription');
      } catch (error) {
        const facts = { err: error, retry_in_ms: this.pauseMs };
        if (!signal.aborted) log.warn(facts, 'the subscription of the read models was interrupted');
      }
      this.close();
      await clock.wait(this.pauseMs, signal);
      this.pauseMs = Math.min(this.pauseMs * 2, LONGEST_PAUSE_MS);
    }
  }

  /**
   * The log's events after a position, as the store's own subscription gives them: without a gap or a repetition.
   * `onPassed` tells a waiting reader where a batch would be empty. Ends when `signal` aborts, or when the store ends a
   * subscription; throws the store's errors.
   */
  async *subscribe(
    { categories }: EventFilter,
    after: LogPosition,
    signal: AbortSignal,
    onPassed: OnPassed,
  ): AsyncGenerator<EventBatch, void, undefined> {
    let position = after;
    const pass: OnPassed = (to, live) => {
      position = laterPosition(position, to);
      onPassed(position, live);
    };
    while (!signal.aborted) {
      const seat = this.sit(categories, pass);
      const leave = (): void => seat.lose();
      signal.addEventListener('abort', leave);
      try {
        const from = (await seat.opened()) ?? START_OF_LOG;
        if (position < from) {
          for await (const batch of this.parts.store.subscribe({ categories }, position, signal)) {
            yield batch;
            position = batch.position;
            if (position >= from || seat.isLost) break;
          }
          if (position < from && !seat.isLost) return;
        }
        for (let batch = await seat.next(); batch; batch = await seat.next()) {
          const before = position;
          position = laterPosition(position, batch.position);
          yield { ...batch, events: batch.events.filter(event => event.position > before), position };
        }
      } finally {
        signal.removeEventListener('abort', leave);
        this.seats.delete(seat);
      }
    }
  }

  /** While the feed is closed, the seat waits for its opening. */
  private sit(names: readonly string[], onPassed: OnPassed): FeedSeat {
    const categories = new Set(names);
    const seat = new FeedSeat(categories, onPassed);
    this.seats.add(seat);
    if (isWithin(categories, this.categories)) {
      if (this.widening !== null && !this.widening.signal.aborted) seat.open(this.position, this.isLive);
    } else {
      this.categories = new Set([...this.categories, ...categories]);
      this.widening?.abort();
    }
    return seat;
  }

  /** One subscription after the other, each to more categories than the one before. */
  private async follow(head: LogPosition, signal: AbortSignal): Promise<void> {
    this.position = head;
    this.isLive = false;
    for (let isWider = true; isWider;) {
      const widening = new AbortController();
      this.widening = widening;
      for (const seat of this.seats) if (seat.from === null) seat.open(this.position, this.isLive);
      const filter = { categories: [...this.categories] };
      const until = AbortSignal.any([signal, widening.signal]);
      for await (const batch of this.parts.store.subscribe(filter, this.position, until)) {
        this.hand(batch);
        this.pauseMs = FIRST_PAUSE_MS;
      }
      isWider = widening.signal.aborted && !signal.aborted;
    }
  }

  private hand({ events, position, live }: EventBatch): void {
    this.position = laterPosition(this.position, position);
    this.isLive = live;
    const categories = events.map(({ stream }) => parseStreamName(stream).category);
    for (const seat of this.seats) {
      const taken = events.filter((_, index) => seat.categories.has(categories[index] as string));
      seat.give(taken, this.position, live);
    }
  }

  /** The readers go on by reading. A seat that has not begun keeps waiting. */
  private close(): void {
    this.widening = null;
    for (const seat of this.seats) if (seat.from !== null) seat.lose();
  }

  /**
   * An event that cannot be read ends the whole subscription. Its readers meet the event when they read alone, and
   * stop; so the feed leaves out the categories that have no seat.
   */
  private narrow(): void {
    const wanted = new Set([...this.seats].flatMap(({ categories }) => [...categories]));
    if (wanted.size > 0) this.categories = wanted;
  }
}

function isWithin(some: ReadonlySet<string>, all: ReadonlySet<string>): boolean {
  return [...some].every(one => all.has(one));
}
