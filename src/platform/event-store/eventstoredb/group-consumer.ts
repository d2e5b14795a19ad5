import type { ResolvedEvent } from '@eventstore/db-client';
import type { Entropy } from '../../../kernel/entropy';
import type { RecordedEvent } from '../../../kernel/event';
import {
  WAITING_MESSAGES_LIMIT,
  type ConsumeOptions,
  type EventFilter,
  type GroupMessage,
} from '../../../kernel/ports/event-store';
import { judge, type HandlerFailure, type OnHandlerError } from '../handler-failure';
import { pauseAfter } from '../message-pauses';
import { BackOff } from './back-off';
import type { OnDrop } from './catch-up';
import { describe } from './client-errors';
import { decodeEvent, safeInteger } from './event-codec';
import { matches } from './event-filter';
import type { GroupSubscription } from './event-store-client';
import { streamReadOptions, type GuardedClient } from './guarded-client';
import { HandlerPlaces } from './handler-places';
import { PulledStream } from './pulled-stream';

/**
 * Places of the first subscription beyond those of the handlers: few, so that competing consumers share what comes.
 * Where those who wait for their next try take them up, further subscriptions bring as many again, up to
 * WAITING_MESSAGES_LIMIT in all.
 */
const FIRST_WAITING_PLACES = 16;
/** Answers are written behind; cancelling right after one would take it back. */
const FLUSH_MS = 100;
const REASON_LENGTH = 200;

export type GroupHooks = { readonly onDrop: OnDrop; readonly onHandlerError: OnHandlerError };
type Handler = (message: GroupMessage) => Promise<void>;

/** A message as the server gave it, and the subscription that takes its answer. */
type Delivery = { readonly resolved: ResolvedEvent & { readonly retryCount: number }; readonly by: GroupSubscription };

type FailedAttempt = { readonly failure: HandlerFailure; readonly error: unknown };

/**
 * One consumer of a persistent group: takes messages, handles some at once, and answers for each. It keeps a message
 * until it is handled or parked, and counts its failures itself, since the server's count grows with every lost
 * connection too. How many it keeps, the server bounds.
 */
export class GroupConsumer {
  /** By message, the newest delivery of it. */
  private readonly underWay = new Map<string, Delivery>();
  private readonly running = new Set<Promise<void>>();
  private readonly receiving: Promise<void>[] = [];
  /** Places for those who wait for their next try, or for their turn to be tried; and who does. */
  private waitingPlaces = FIRST_WAITING_PLACES;
  private readonly waiting = new Set<string>();
  private readonly places: HandlerPlaces;

  constructor(
    private readonly guarded: GuardedClient,
    private readonly name: string,
    private readonly filter: () => EventFilter,
    private readonly handler: Handler,
    private readonly hooks: GroupHooks,
    private readonly options: ConsumeOptions,
    private readonly entropy: Entropy,
  ) {
    this.places = new HandlerPlaces(options.concurrency, options.signal, guarded.clock, entropy);
  }

  async run(): Promise<void> {
    await this.keepReceiving(this.options.concurrency + FIRST_WAITING_PLACES);
    await Promise.all(this.receiving);
    await Promise.all(this.running);
  }

  private async keepReceiving(places: number): Promise<void> {
    const { signal } = this.options;
    const backOff = new BackOff(this.guarded.clock);
    while (!signal.aborted) {
      const error = await this.receive(places, backOff);
      if (signal.aborted) break;
      this.hooks.onDrop(this.name, error);
      await backOff.wait(signal);
    }
  }

  /** Gives nothing back, as another subscription in place of the first would. */
  private widen(): void {
    const { signal } = this.options;
    if (signal.aborted || this.waiting.size < this.waitingPlaces) return;
    if (this.waitingPlaces >= WAITING_MESSAGES_LIMIT) return;
    const places = Math.min(this.waitingPlaces, WAITING_MESSAGES_LIMIT - this.waitingPlaces);
    this.waitingPlaces += places;
    this.receiving.push(this.keepReceiving(places));
  }

  /** One subscription, to its end; answers why it ended. */
  private async receive(places: number, backOff: BackOff): Promise<unknown> {
    const { signal } = this.options;
    let subscriber: Awaited<ReturnType<GuardedClient['subscriber']>>;
    try {
      subscriber = await this.guarded.subscriber();
    } catch (error) {
      return error;
    }
    const limits = { highWaterMark: places };
    const by = subscriber.client.subscribeToPersistentSubscriptionToAll(this.name, { bufferSize: places }, limits);
    const pulled = new PulledStream<Delivery['resolved']>(by);
    try {
      while (await pulled.more(signal)) {
        backOff.reset();
        this.takeAll(pulled, by);
      }
      if (!signal.aborted) subscriber.dropped();
      return pulled.error;
    } finally {
      if (signal.aborted) {
        await Promise.all(this.running);
        await this.guarded.clock.wait(FLUSH_MS);
      }
      by.unsubscribe().catch(() => undefined);
      by.destroy();
    }
  }

  private takeAll(pulled: PulledStream<Delivery['resolved']>, by: GroupSubscription): void {
    const unwanted: ResolvedEvent[] = [];
    for (let pull = pulled.next(); pull && 'item' in pull && !this.options.signal.aborted; pull = pulled.next()) {
      const resolved = pull.item;
      if (this.isWanted(resolved)) this.accept({ resolved, by });
      else unwanted.push(resolved);
    }
    acknowledge(by, unwanted);
  }

  private isWanted({ event }: ResolvedEvent): boolean {
    return event !== undefined && matches(this.filter(), { stream: event.streamId });
  }

  /** One that comes again while it is handled, or waits for its next try, will be answered where it came last. */
  private accept(delivery: Delivery): void {
    const key = keyOf(delivery.resolved);
    const isKnown = this.underWay.has(key);
    this.underWay.set(key, delivery);
    if (isKnown) return;
    const handled: Promise<void> = this.handle(key, delivery).finally(() => this.running.delete(handled));
    this.running.add(handled);
  }

  /** To its end; when the consumer is stopped before, the end of the subscription gives it back. */
  private async handle(key: string, { resolved }: Delivery): Promise<void> {
    let failures = 0;
    let holds = 0;
    let line: 'new' | 'again' = 'new';
    while (await this.places.enter(positionOf(resolved), line)) {
      const failed = await this.attempt(resolved, failures);
      if (failed?.failure.outage === 'engine') this.places.close();
      else if (holds > 0) this.places.ended();
      this.places.leave();
      if (!failed) return this.answer(key, ({ by, resolved: newest }) => by.ack(newest));
      const { failure, error } = failed;
      if (failure.fate === 'parked') {
        const reason = describe(error).slice(0, REASON_LENGTH);
        return this.answer(key, ({ by, resolved: newest }) => by.nack('park', reason, newest));
      }
      failures = failure.failures;
      holds = failure.outage === null ? 0 : holds + 1;
      const pauseMs = pauseAfter(failure, holds, this.entropy);
      line = pauseMs > 0 ? 'again' : 'new';
      if (pauseMs > 0) await this.pause(key, pauseMs);
    }
  }

  private async pause(key: string, delayMs: number): Promise<void> {
    this.waiting.add(key);
    this.widen();
    await this.guarded.clock.wait(delayMs, this.options.signal);
  }

  /** Null where it was handled. */
  private async attempt(resolved: ResolvedEvent, retries: number): Promise<FailedAttempt | null> {
    let event: RecordedEvent | null = null;
    try {
      event = await this.eventOf(resolved);
      await this.handler({ event, retries });
      return null;
    } catch (error) {
      const failure = judge(error, retries);
      if (event) this.hooks.onHandlerError(this.name, event, error, failure.fate);
      else this.hooks.onDrop(this.name, error);
      return { failure, error };
    }
  }

  /** Not waited for: an answer that is lost, of which the client says nothing, makes the message come again. */
  private answer(key: string, give: (delivery: Delivery) => Promise<void>): void {
    const delivery = this.underWay.get(key);
    this.underWay.delete(key);
    this.waiting.delete(key);
    if (delivery) give(delivery).catch(() => undefined);
  }

  /** A message from the parked ones is a link, and is given the link's position for its own. */
  private async eventOf(resolved: ResolvedEvent): Promise<RecordedEvent> {
    const { event, link } = resolved;
    if (!link || !event) return decodeEvent(resolved);
    const revision = safeInteger(event.revision, `${event.streamId}: revision`);
    const [found] = (await this.guarded.readStream(event.streamId, streamReadOptions('forwards', revision, 1))) ?? [];
    return decodeEvent(found ?? {});
  }
}

/** What the client answers for: the link, where a message is one. */
function keyOf({ event, link }: ResolvedEvent): string {
  return (link ?? event)?.id ?? '';
}

/** Where it stands in the log; a message from the parked ones has no place of its own there, and comes last. */
function positionOf({ event, link }: ResolvedEvent): number {
  return link ? Infinity : Number(event?.position?.commit ?? Infinity);
}

function acknowledge(by: GroupSubscription, events: readonly ResolvedEvent[]): void {
  if (events.length > 0) by.ack(...events).catch(() => undefined);
}
