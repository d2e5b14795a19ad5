import { START, type Position, type ResolvedEvent } from '@eventstore/db-client';
import { SECOND_MS } from '../../../kernel/clock';
import type { RecordedEvent } from '../../../kernel/event';
import { laterPosition, type LogPosition } from '../../../kernel/log-position';
import { START_OF_LOG, type EventBatch, type LogFilter } from '../../../kernel/ports/event-store';
import { BackOff } from './back-off';
import { decodeEvent, serverPosition } from './event-codec';
import { describeFilter, matches, serverFilter } from './event-filter';
import type { EventStoreClient, EventSubscription } from './event-store-client';
import type { GuardedClient } from './guarded-client';
import { isAfter, lastPositionUpTo, type LogHead } from './log-positions';
import { PulledStream } from './pulled-stream';

const BATCH_EVENTS = 512;
/** Events that the client reads ahead for this reader; beyond that the server waits. */
const READ_AHEAD = 512;
/**
 * Events that the server looks through before it tells its progress. While catching up they are many, since each such
 * stretch is a read of its own. While live it is one event. With more, a subscription's position would not keep up with
 * events that the subscription is not given.
 */
const SEARCH_WINDOW = { catchingUp: 1_024, live: 1 } as const;
type Gear = keyof typeof SEARCH_WINDOW;
/**
 * The time for which a subscription may tell nothing new though the log's head is ahead: first this long, then doubling
 * up to the longest. The time doubles over subscriptions too: a slow server that is asked anew too soon never finishes
 * its answer.
 */
const FIRST_SILENCE_MS = 4 * SECOND_MS;
const LONGEST_SILENCE_MS = 64 * SECOND_MS;

/** The places of the log and the subscription at the begin of a silence, and its length. */
class Silence {
  constructor(
    readonly head: LogPosition,
    readonly position: LogPosition,
    readonly durationMs: number,
  ) {}
}

type Mark = Position | Silence | 'caught_up' | 'fell_behind';
type Pulling = PulledStream<ResolvedEvent, Mark>;
type Ending = { readonly shiftTo: Gear } | { readonly error: unknown };

/**
 * Called for every subscription that ended or fell silent unasked; the error is null when the server ended it without
 * one.
 */
export type OnDrop = (name: string, error: unknown) => void;

/**
 * A filtered subscription to the whole log. Whenever the subscription ends or fails, a new one starts from its place.
 * The position of a batch is always an event's. The server's checkpoints may lie between two events, and a checkpoint
 * taken for an event's position would skip the next event.
 */
export class CatchUp {
  /** The place from which the server continues; null at first. */
  private from: Position | null;
  private position: LogPosition;
  /** The position of the last given event; a later position covers only events that were left out. */
  private given: LogPosition;
  /** The checkpoint whose event was asked for last. */
  private asked: Position | null = null;
  /**
   * The log's last event of ours when this subscription was made. A caught-up subscription has given everything up to
   * there.
   */
  private aim = START_OF_LOG;
  private isLive = false;
  private hasFallenBehind = false;
  /** A time in which the log went on, and the subscription did not. */
  private gap: Silence | null = null;
  private silenceMs = FIRST_SILENCE_MS;
  private toldLive = false;

  constructor(
    private readonly guarded: GuardedClient,
    private readonly head: LogHead,
    private readonly filter: LogFilter,
    after: LogPosition,
    private readonly signal: AbortSignal,
    private readonly onDrop: OnDrop,
  ) {
    this.position = after;
    this.given = after;
    this.from = after === START_OF_LOG ? null : serverPosition(after);
  }

  async *batches(): AsyncGenerator<EventBatch, void, undefined> {
    const backOff = new BackOff(this.guarded.clock);
    let gear: Gear = 'catchingUp';
    while (!this.signal.aborted) {
      const before = this.from;
      const ending: Ending = yield* this.follow(gear);
      if (this.from !== before) backOff.reset();
      gear = 'shiftTo' in ending ? ending.shiftTo : 'catchingUp';
      if (this.signal.aborted || 'shiftTo' in ending) continue;
      this.toldLive = false;
      this.onDrop(describeFilter(this.filter), ending.error);
      await backOff.wait(this.signal);
    }
  }

  /** One subscription, to its end or to the place where the other gear is better. */
  private async *follow(gear: Gear): AsyncGenerator<EventBatch, Ending, undefined> {
    let subscriber: Awaited<ReturnType<GuardedClient['subscriber']>>;
    try {
      subscriber = await this.guarded.subscriber();
      this.aim = await this.head.position();
    } catch (error) {
      return { error };
    }
    this.isLive = false;
    this.hasFallenBehind = false;
    this.gap = null;
    const leaving = new AbortController();
    const [subscription, pulled] = this.open(gear, subscriber.client, AbortSignal.any([this.signal, leaving.signal]));
    try {
      while (await pulled.more(this.signal)) {
        const batch = await this.take(pulled);
        if (batch) yield batch;
        if (gear === 'catchingUp' && this.isLive) return { shiftTo: 'live' };
        if (gear === 'live' && this.hasFallenBehind) return { shiftTo: 'catchingUp' };
        if (this.gap) {
          const { durationMs } = this.gap;
          this.onDrop(
            describeFilter(this.filter),
            new Error(`nothing came for ${durationMs} ms, though the log went on`),
          );
          this.silenceMs = Math.min(2 * this.silenceMs, LONGEST_SILENCE_MS);
          return { shiftTo: 'catchingUp' };
        }
      }
      subscriber.dropped();
      return { error: pulled.error };
    } finally {
      leaving.abort();
      subscription.unsubscribe().catch(() => undefined);
      subscription.destroy();
    }
  }

  private open(gear: Gear, client: EventStoreClient, until: AbortSignal): [EventSubscription, Pulling] {
    // The client calls this from inside its stream, where an error would silence the subscription for ever.
    let mark: (mark: Mark) => void = () => undefined;
    const filter = serverFilter(this.filter, {
      maxSearchWindow: SEARCH_WINDOW[gear],
      checkpointInterval: 1,
      checkpointReached: (_, checkpoint) => mark(checkpoint),
    });
    const subscription = client.subscribeToAll(
      { fromPosition: this.from ?? START, filter },
      { highWaterMark: READ_AHEAD },
    );
    const pulled: Pulling = new PulledStream(subscription, areCheckpoints);
    mark = given => pulled.mark(given);
    subscription.on('caughtUp', () => pulled.mark('caught_up'));
    subscription.on('fellBehind', () => pulled.mark('fell_behind'));
    void this.listen(pulled, until);
    return [subscription, pulled];
  }

  /**
   * Some events are appended between reading the aim and going live. The server tells nothing of events that the filter
   * leaves out. Under load, servers have left a subscription in silence for good. So a subscription that tells nothing
   * new and has not reached the head is replaced.
   */
  private async listen(pulled: Pulling, until: AbortSignal): Promise<void> {
    for (let pauseMs = this.silenceMs; !until.aborted;) {
      // Where the head cannot be read, the next look is enough.
      const head = await this.head.position().catch(() => START_OF_LOG);
      const silence = new Silence(head, this.position, pauseMs);
      await this.guarded.clock.wait(pauseMs, until);
      if (!until.aborted) pulled.mark(silence);
      pauseMs = this.position === silence.position ? Math.min(2 * pauseMs, LONGEST_SILENCE_MS) : FIRST_SILENCE_MS;
    }
  }

  /** The new items, as one batch; null when there is nothing new to tell. */
  private async take(pulled: Pulling): Promise<EventBatch | null> {
    const events: RecordedEvent[] = [];
    const before = this.position;
    while (events.length < BATCH_EVENTS) {
      const pull = pulled.next();
      if (!pull) break;
      if ('mark' in pull) this.heed(pull.mark, pulled);
      else this.accept(decodeEvent(pull.item), events);
    }
    await this.moveToCheckpoint();
    const live = this.isLive && !pulled.hasNext();
    if (events.length === 0 && this.position === before && (!live || this.toldLive)) return null;
    this.toldLive = live;
    return { events, position: this.position, live };
  }

  private heed(mark: Mark, pulled: Pulling): void {
    if (mark === 'caught_up') {
      this.isLive = true;
      this.reach(this.aim);
    } else if (mark === 'fell_behind') {
      this.isLive = false;
      this.hasFallenBehind = true;
    } else if (mark instanceof Silence) this.gap = this.isSilent(mark) && !pulled.hasNext() ? mark : null;
    else if (isAfter(mark, this.from)) this.from = mark;
  }

  private isSilent({ head, position }: Silence): boolean {
    return head > this.position && position === this.position;
  }

  private reach(position: LogPosition): void {
    if (position <= this.position) return;
    this.position = position;
    this.silenceMs = FIRST_SILENCE_MS;
    const reached = serverPosition(position);
    if (isAfter(reached, this.from)) this.from = reached;
  }

  private accept(event: RecordedEvent, events: RecordedEvent[]): void {
    if (event.position <= this.given) return;
    this.given = event.position;
    this.reach(event.position);
    if (matches(this.filter, event)) events.push(event);
  }

  private async moveToCheckpoint(): Promise<void> {
    if (this.from === null || this.from === this.asked || this.from.commit <= BigInt(this.position)) return;
    this.asked = this.from;
    // Where the event before a checkpoint cannot be asked for, the next checkpoint is enough.
    const reached = await lastPositionUpTo(this.guarded, this.from).catch(() => null);
    if (reached !== null) this.position = laterPosition(this.position, reached);
  }
}

function areCheckpoints(later: Mark, earlier: Mark): boolean {
  return [later, earlier].every(mark => typeof mark === 'object' && !(mark instanceof Silence));
}
