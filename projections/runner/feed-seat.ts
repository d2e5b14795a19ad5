import type { RecordedEvent } from '../../src/kernel/event';
import type { LogPosition } from '../../src/kernel/log-position';
import type { EventBatch } from '../../src/kernel/ports/event-store';

/** Events that a seat keeps for a reader who is slower than the feed. */
export const QUEUED_EVENTS_LIMIT = 4_096;

/** A waiting reader hears that the log went on without an event of the reader's. */
export type OnPassed = (position: LogPosition, live: boolean) => void;

/**
 * One reader's place at the shared feed, with the events that the reader has not taken yet. The feed never waits: a
 * seat that would have to keep too many events is lost.
 */
export class FeedSeat {
  private begin: LogPosition | null = null;
  private over = false;
  private queued: RecordedEvent[] = [];
  private told: Pick<EventBatch, 'position' | 'live'> | null = null;
  private isAwaited = false;
  private wake: () => void = () => undefined;

  constructor(
    readonly categories: ReadonlySet<string>,
    private readonly onPassed: OnPassed,
  ) {}

  /** The seat is given every event of its categories behind this position; null while the feed is closed. */
  get from(): LogPosition | null {
    return this.begin;
  }

  /** The seat gets no more events: its reader goes on by reading, and takes another seat. */
  get isLost(): boolean {
    return this.over;
  }

  open(position: LogPosition, live: boolean): void {
    this.begin = position;
    this.tell([], position, live);
  }

  give(events: readonly RecordedEvent[], position: LogPosition, live: boolean): void {
    if (this.begin === null || this.over) return;
    // Most events are for other readers: waking a loop for each of them costs more than its work.
    if (events.length === 0 && this.isAwaited && this.told === null) this.onPassed(position, live);
    else if (this.queued.length + events.length > QUEUED_EVENTS_LIMIT) this.lose();
    else this.tell(events, position, live);
  }

  lose(): void {
    this.over = true;
    this.queued = [];
    this.told = null;
    this.wake();
  }

  /** The position at which the seat begins; null where the seat was lost before the feed opened. */
  async opened(): Promise<LogPosition | null> {
    while (this.begin === null && !this.over) await this.change();
    return this.begin;
  }

  /** The events since the last call, as one batch; null once the seat is lost. */
  async next(): Promise<EventBatch | null> {
    this.isAwaited = true;
    while (this.told === null && !this.over) await this.change();
    this.isAwaited = false;
    if (this.told === null) return null;
    const batch = { events: this.queued, ...this.told };
    this.queued = [];
    this.told = null;
    return batch;
  }

  private tell(events: readonly RecordedEvent[], position: LogPosition, live: boolean): void {
    this.queued.push(...events);
    this.told = { position, live };
    this.wake();
  }

  private change(): Promise<void> {
    return new Promise(resolve => (this.wake = resolve));
  }
}
