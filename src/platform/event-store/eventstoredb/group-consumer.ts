import type { ResolvedEvent } from '@eventstore/db-client';
import type { RecordedEvent } from '../../../kernel/event';
import {
  MAX_DELIVERIES,
  type ConsumeOptions,
  type EventFilter,
  type GroupMessage,
} from '../../../kernel/ports/event-store';
import { BackOff } from './back-off';
import type { OnDrop } from './catch-up';
import { describe } from './client-errors';
import { decodeEvent, safeInteger } from './event-codec';
import { isOurs, matches } from './event-filter';
import type { GroupSubscription } from './event-store-client';
import { streamReadOptions, type GuardedClient } from './guarded-client';
import { PulledStream } from './pulled-stream';

/** Messages of failed handlers that wait for their next try hold a place with the server; so many may, beside those being handled. */
const WAITING_PLACES = 16;
/** 50 ms, doubling, at most 5 s: a lost race is over at once, and an outage is not hammered. */
const FIRST_RETRY_MS = 50;
const LONGEST_RETRY_MS = 5_000;
/** Answers are written behind; cancelling right after one would take it back. */
const FLUSH_MS = 100;
const REASON_LENGTH = 200;

export type OnHandlerError = (name: string, event: RecordedEvent, error: unknown) => void;
export type GroupHooks = { readonly onDrop: OnDrop; readonly onHandlerError: OnHandlerError };
type Handler = (message: GroupMessage) => Promise<void>;

/** A message as the server gave it, and the subscription that takes its answer. */
type Delivery = { readonly resolved: ResolvedEvent & { readonly retryCount: number }; readonly by: GroupSubscription };

/** One consumer of a persistent group: takes messages, handles some at once, and answers for each. */
export class GroupConsumer {
  /** By message, the newest delivery of it. */
  private readonly underWay = new Map<string, Delivery>();
  private readonly running = new Set<Promise<void>>();
  private handlers = 0;
  private placeFreed: () => void = () => undefined;

  constructor(
    private readonly guarded: GuardedClient,
    private readonly name: string,
    private readonly filter: () => EventFilter,
    private readonly handler: Handler,
    private readonly hooks: GroupHooks,
    private readonly options: ConsumeOptions,
  ) {}

  async run(): Promise<void> {
    const { signal } = this.options;
    const backOff = new BackOff(this.guarded.clock);
    while (!signal.aborted) {
      const error = await this.receive(backOff);
      if (signal.aborted) break;
      this.hooks.onDrop(this.name, error);
      await backOff.wait(signal);
    }
    await Promise.all(this.running);
  }

  /** One subscription, to its end; answers why it ended. */
  private async receive(backOff: BackOff): Promise<unknown> {
    const { signal, concurrency } = this.options;
    let subscriber: Awaited<ReturnType<GuardedClient['subscriber']>>;
    try {
      subscriber = await this.guarded.subscriber();
    } catch (error) {
      return error;
    }
    const places = concurrency + WAITING_PLACES;
    const limits = { highWaterMark: places };
    const by = subscriber.client.subscribeToPersistentSubscriptionToAll(this.name, { bufferSize: places }, limits);
    const pulled = new PulledStream<Delivery['resolved']>(by);
    try {
      while (await pulled.more(signal)) {
        backOff.reset();
        await this.takeAll(pulled, by);
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

  private async takeAll(pulled: PulledStream<Delivery['resolved']>, by: GroupSubscription): Promise<void> {
    const { signal, concurrency } = this.options;
    let unwanted: ResolvedEvent[] = [];
    for (let pull = pulled.next(); pull && 'item' in pull && !signal.aborted; pull = pulled.next()) {
      const resolved = pull.item;
      if (!this.isWanted(resolved)) {
        unwanted.push(resolved);
        continue;
      }
      const delivery = { resolved, by };
      // Before waiting for a place, which the handler of this very message may hold.
      if (this.isUnderWay(delivery)) continue;
      if (this.handlers >= concurrency) {
        acknowledge(by, unwanted);
        unwanted = [];
        await this.freePlace();
        if (signal.aborted) break;
      }
      this.accept(delivery);
    }
    acknowledge(by, unwanted);
  }

  private isWanted({ event }: ResolvedEvent): boolean {
    if (!event) return false;
    return isOurs(event.streamId) && matches(this.filter(), { stream: event.streamId, type: event.type });
  }

  /** One that comes again while it is handled will be answered where it came last. */
  private isUnderWay(delivery: Delivery): boolean {
    const key = keyOf(delivery.resolved);
    const isKnown = this.underWay.has(key);
    if (isKnown) this.underWay.set(key, delivery);
    return isKnown;
  }

  private accept(delivery: Delivery): void {
    const key = keyOf(delivery.resolved);
    this.underWay.set(key, delivery);
    this.handlers++;
    const handled: Promise<void> = this.handle(key, delivery).finally(() => this.running.delete(handled));
    this.running.add(handled);
  }

  private async handle(key: string, { resolved }: Delivery): Promise<void> {
    let event: RecordedEvent | null = null;
    let failure: { readonly error: unknown } | null = null;
    try {
      event = await this.eventOf(resolved);
      await this.handler({ event, retries: resolved.retryCount });
    } catch (error) {
      failure = { error };
    }
    this.handlers--;
    this.placeFreed();
    if (!failure) return this.answer(key, ({ by, resolved: newest }) => by.ack(newest));
    if (event) this.hooks.onHandlerError(this.name, event, failure.error);
    else this.hooks.onDrop(this.name, failure.error);
    await this.fail(key, failure.error);
  }

  private async fail(key: string, error: unknown): Promise<void> {
    const { signal } = this.options;
    const retries = this.underWay.get(key)?.resolved.retryCount ?? 0;
    const reason = describe(error).slice(0, REASON_LENGTH);
    const action = retries + 1 >= MAX_DELIVERIES ? 'park' : 'retry';
    if (action === 'retry') {
      await this.guarded.clock.wait(Math.min(FIRST_RETRY_MS * 2 ** retries, LONGEST_RETRY_MS), signal);
      // The end of the subscription gives it back.
      if (signal.aborted) return;
    }
    this.answer(key, ({ by, resolved }) => by.nack(action, reason, resolved));
  }

  /** Not waited for: an answer that is lost, of which the client says nothing, makes the message come again. */
  private answer(key: string, give: (delivery: Delivery) => Promise<void>): void {
    const delivery = this.underWay.get(key);
    this.underWay.delete(key);
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

  private async freePlace(): Promise<void> {
    const { signal, concurrency } = this.options;
    while (this.handlers >= concurrency && !signal.aborted) {
      await new Promise<void>(resolve => {
        const freed = (): void => {
          signal.removeEventListener('abort', freed);
          resolve();
        };
        this.placeFreed = freed;
        signal.addEventListener('abort', freed, { once: true });
      });
    }
  }
}

/** What the client answers for: the link, where a message is one. */
function keyOf({ event, link }: ResolvedEvent): string {
  return (link ?? event)?.id ?? '';
}

function acknowledge(by: GroupSubscription, events: readonly ResolvedEvent[]): void {
  if (events.length > 0) by.ack(...events).catch(() => undefined);
}
