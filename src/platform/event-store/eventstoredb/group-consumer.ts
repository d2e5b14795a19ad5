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
 * Places of the first subscription beyond those of the handlers: few, so that competing consumers share the messages.
 * Where waiting messages take up these places, further subscriptions bring as many again, up to WAITING_MESSAGES_LIMIT
 * in all.
 */
const FIRST_WAITING_PLACES = 16;
/** Answers are written behind, and cancelling right after an answer would lose it. */
const FLUSH_MS = 100;
const REASON_LENGTH = 200;

export type GroupHooks = { readonly onDrop: OnDrop; readonly onHandlerError: OnHandlerError };
type Handler = (message: GroupMessage) => Promise<void>;

/** A message as the server gave it, and the subscription that takes its answer. */
type Delivery = {
  readonly resolved: ResolvedEvent & { readonly retryCount: number };
  readonly subscription: GroupSubscription;
};

type FailedAttempt = { readonly failure: HandlerFailure; readonly error: unknown };

/**
 * One consumer of a persistent group: takes messages, handles some at once, and answers for each. The consumer keeps a
 * message until it is handled or parked. The consumer counts failures itself, since the server's count grows with every
 * lost connection too. The server bounds the number of kept messages.
 */
export class GroupConsumer {
  /** The newest delivery of each message. */
  private readonly underWay = new Map<string, Delivery>();
  private readonly running = new Set<Promise<void>>();
  private readonly receiving: Promise<void>[] = [];
  /** Places for messages that wait for their next try, or for their turn; and the messages that wait. */
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

  /** Adds a subscription and gives no message back, which replacing the first one would. */
  private widen(): void {
    const { signal } = this.options;
    if (signal.aborted || this.waiting.size < this.waitingPlaces) return;
    if (this.waitingPlaces >= WAITING_MESSAGES_LIMIT) return;
    const places = Math.min(this.waitingPlaces, WAITING_MESSAGES_LIMIT - this.waitingPlaces);
    this.waitingPlaces += places;
    this.receiving.push(this.keepReceiving(places));
  }

  /** Takes one subscription to its end; answers the reason of the end. */
  private async receive(places: number, backOff: BackOff): Promise<unknown> {
    const { signal } = this.options;
    let subscriber: Awaited<ReturnType<GuardedClient['subscriber']>>;
    try {
      subscriber = await this.guarded.subscriber();
    } catch (error) {
      return error;
    }
    const limits = { highWaterMark: places };
    const subscription = subscriber.client.subscribeToPersistentSubscriptionToAll(
      this.name,
      { bufferSize: places },
      limits,
    );
    const pulled = new PulledStream<Delivery['resolved']>(subscription);
    try {
      while (await pulled.more(signal)) {
        backOff.reset();
        this.takeAll(pulled, subscription);
      }
      if (!signal.aborted) subscriber.dropped();
      return pulled.error;
    } finally {
      if (signal.aborted) {
        await Promise.all(this.running);
        await this.guarded.clock.wait(FLUSH_MS);
      }
      subscription.unsubscribe().catch(() => undefined);
      subscription.destroy();
    }
  }

  private takeAll(pulled: PulledStream<Delivery['resolved']>, subscription: GroupSubscription): void {
    const unwanted: ResolvedEvent[] = [];
    for (let pull = pulled.next(); pull && 'item' in pull && !this.options.signal.aborted; pull = pulled.next()) {
      const resolved = pull.item;
      if (this.isWanted(resolved)) this.accept({ resolved, subscription });
      else unwanted.push(resolved);
    }
    acknowledge(subscription, unwanted);
  }

  private isWanted({ event }: ResolvedEvent): boolean {
    return event !== undefined && matches(this.filter(), { stream: event.streamId });
  }

  /** A message that comes again while it is handled, or waits for its next try, is answered where it came last. */
  private accept(delivery: Delivery): void {
    const key = keyOf(delivery.resolved);
    const isKnown = this.underWay.has(key);
    this.underWay.set(key, delivery);
    if (isKnown) return;
    const handled: Promise<void> = this.handle(key, delivery).finally(() => this.running.delete(handled));
    this.running.add(handled);
  }

  /**
   * Handles a message to its end. When the consumer is stopped before, the end of the subscription gives the message
   * back.
   */
  private async handle(key: string, { resolved }: Delivery): Promise<void> {
    let failures = 0;
    let holds = 0;
    let line: 'new' | 'again' = 'new';
    while (await this.places.enter(positionOf(resolved), line)) {
      const failed = await this.attempt(resolved, failures);
      if (failed?.failure.outage === 'engine') this.places.close();
      else if (holds > 0) this.places.ended();
      this.places.leave();
      if (!failed) return this.answer(key, ({ subscription, resolved: newest }) => subscription.ack(newest));
      const { failure, error } = failed;
      if (failure.fate === 'parked') {
        const reason = describe(error).slice(0, REASON_LENGTH);
        return this.answer(key, ({ subscription, resolved: newest }) => subscription.nack('park', reason, newest));
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

  /** Null where the message was handled. */
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

  /** The answer is not waited for: the client tells nothing of a lost answer, which makes the message come again. */
  private answer(key: string, give: (delivery: Delivery) => Promise<void>): void {
    const delivery = this.underWay.get(key);
    this.underWay.delete(key);
    this.waiting.delete(key);
    if (delivery) give(delivery).catch(() => undefined);
  }

  /** A message from the parked ones is a link, and its event has the link's position. */
  private async eventOf(resolved: ResolvedEvent): Promise<RecordedEvent> {
    const { event, link } = resolved;
    if (!link || !event) return decodeEvent(resolved);
    const revision = safeInteger(event.revision, `${event.streamId}: revision`);
    const [found] = (await this.guarded.readStream(event.streamId, streamReadOptions('forwards', revision, 1))) ?? [];
    return decodeEvent(found ?? {});
  }
}

/** The id that the client answers for: the link's, where a message is one. */
function keyOf({ event, link }: ResolvedEvent): string {
  return (link ?? event)?.id ?? '';
}

/** The event's place in the log; a message from the parked ones has no place of its own there, and comes last. */
function positionOf({ event, link }: ResolvedEvent): number {
  return link ? Infinity : Number(event?.position?.commit ?? Infinity);
}

function acknowledge(subscription: GroupSubscription, events: readonly ResolvedEvent[]): void {
  if (events.length > 0) subscription.ack(...events).catch(() => undefined);
}
