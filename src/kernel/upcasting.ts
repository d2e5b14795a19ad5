import { parseStreamName, type DomainEvent, type RecordedEvent } from './event';
import { forwardingStore } from './forwarding-store';
import type { EventStore } from './ports/event-store';

/** Brings the facts of one version of an event to the next; pure, and the type may change with it. */
export type Upcast = (event: DomainEvent) => DomainEvent;

/**
 * The upcasts of one category's events, by the type under which a version was recorded: the first leads from version 1
 * to 2. A type that is not named has one version.
 */
export type Upcasts = Readonly<Record<string, readonly Upcast[]>>;

export type UpcastsByCategory = Readonly<Record<string, Upcasts>>;

/** The version in which an event of the type is recorded now. */
export function newestVersion(upcasts: Upcasts, type: string): number {
  return 1 + (Object.hasOwn(upcasts, type) ? (upcasts[type] as readonly Upcast[]).length : 0);
}

/**
 * The event in its newest shape; its metadata, hash included, stay those of the recorded bytes. Throws RangeError on a
 * version that only a newer program can have recorded.
 */
export function upcast<E extends RecordedEvent>(byCategory: UpcastsByCategory, event: E): E {
  const { category } = parseStreamName(event.stream);
  const upcasts = byCategory[category] ?? {};
  const { schema } = event.metadata;
  const newest = newestVersion(upcasts, event.type);
  if (schema === newest) return event;
  const at = `${event.stream}#${event.revision}: ${event.type}`;
  if (!Number.isInteger(schema) || schema < 1 || schema > newest)
    throw new RangeError(`${at} has version ${schema}; the newest known is ${newest}`);
  const steps = (upcasts[event.type] as readonly Upcast[]).slice(schema - 1);
  const { type, data } = steps.reduce<DomainEvent>((facts, step) => step(facts), event);
  return { ...event, type, data };
}

/**
 * The log as the domain reads it: every event in its newest shape. A reader that checks hashes reads the store beneath.
 */
export function upcastingStore(store: EventStore, byCategory: UpcastsByCategory): EventStore {
  const newest = (event: RecordedEvent): RecordedEvent => upcast(byCategory, event);
  return {
    ...forwardingStore(store),
    readStream: async (stream, options) => (await store.readStream(stream, options)).map(newest),
    async *subscribe(filter, after, signal) {
      for await (const batch of store.subscribe(filter, after, signal))
        yield { ...batch, events: batch.events.map(newest) };
    },
    parkedEvents: async (name, limit) => (await store.parkedEvents(name, limit)).map(newest),
    consume: (name, handler, options) =>
      store.consume(name, ({ event, retries }) => handler({ event: newest(event), retries }), options),
  };
}
