import type { DomainEvent, RecordedEvent } from './event';
import { parseStreamName } from './event';
import type { JsonObject } from '../vocabulary/json';
import type { Document } from './ports/documents';
import type { ReadModel } from './ports/read-models';

/**
 * Makes the new document of an event; null removes the document. A method's parameters are compared both ways, so one
 * list holds projections of any documents and events. A handler gets only the events that it is named for, and the
 * document's id.
 */
export type ProjectionHandler<Body extends JsonObject, Event extends DomainEvent> = {
  handle(body: Body | null, event: RecordedEvent<Event>, id: string): Body | null;
}['handle'];

/** The ids of the documents that an event feeds. */
type DocumentKeys = string | readonly string[] | null;

type EventOf<Event extends DomainEvent, Type> = Extract<Event, { readonly type: Type }>;

type Filling<Event extends DomainEvent, Mirrors extends boolean, Keys, On> = {
  /** The categories of the streams that feed the documents. */
  readonly categories: readonly string[];
  /**
   * True where each document is fed by one stream only. The document's version is then that stream's revision, and the
   * command that appends writes the document at once. All these streams are of one category. Otherwise the version is
   * the log's position, and the runner alone writes.
   */
  readonly mirrors: Mirrors;
  /** The id of the document that the event changes; null for none. A projection that gathers may name several. */
  key(event: RecordedEvent<Event>): Keys;
  readonly on: On;
};

/** A mirror handles every type of its category's events, or names the type as null. */
export type Mirror<Body extends JsonObject, Event extends DomainEvent> = ReadModel<Body> &
  Filling<
    Event,
    true,
    string | null,
    { readonly [Type in Event['type']]: ProjectionHandler<Body, EventOf<Event, Type>> | null }
  >;

/** Each document may be fed by many streams, and each event may feed many; only the types that matter are named. */
export type Gathering<Body extends JsonObject, Event extends DomainEvent> = ReadModel<Body> &
  Filling<
    Event,
    false,
    DocumentKeys,
    { readonly [Type in Event['type']]?: ProjectionHandler<Body, EventOf<Event, Type>> }
  >;

/**
 * A read model and its filling, as a value: pure, without I/O or clock; the same events give the same documents, byte
 * for byte. The projection takes the events of its categories that have a handler in `on`. `Event` is the union of the
 * categories' events. So a misspelt type does not compile, and neither does a mirror that leaves one out.
 */
export type Projection<Body extends JsonObject = JsonObject, Event extends DomainEvent = DomainEvent> =
  Mirror<Body, Event> | Gathering<Body, Event>;

/** Whether the projection takes events of the type. */
export function isTaken({ on }: Projection, type: string): boolean {
  return Object.hasOwn(on, type) && on[type] !== null;
}

/** Null where the projection's documents are not fed by one stream each. */
export function mirroredCategory({ categories, mirrors }: Pick<Projection, 'categories' | 'mirrors'>): string | null {
  return mirrors ? (categories[0] ?? null) : null;
}

/** The ids of the documents that the event changes. */
export function documentIds(projection: Projection, event: RecordedEvent): readonly string[] {
  const keys: DocumentKeys = projection.key(event);
  if (keys === null) return [];
  return typeof keys === 'string' ? [keys] : keys;
}

/** The key of a projection whose document is its stream: the stream's own id. */
export function streamId(event: RecordedEvent): string {
  return parseStreamName(event.stream).id;
}

export type DocumentChange<Body extends JsonObject = JsonObject> = {
  readonly id: string;
  readonly version: number;
  /** Null where the document is removed. */
  readonly body: Body | null;
};

/**
 * Folds `events`, in their order, into the documents that they change. `before` answers the present documents; events
 * that a document already has, by its version, are skipped.
 */
export function applyEvents<Body extends JsonObject>(
  projection: Projection<Body>,
  events: readonly RecordedEvent[],
  before: (id: string) => Document<Body> | null,
): ReadonlyMap<string, DocumentChange<Body>> {
  const changes = new Map<string, DocumentChange<Body>>();
  for (const event of events) {
    const handler = projection.on[event.type];
    if (!handler) continue;
    for (const id of documentIds(projection as Projection, event)) {
      const standing = changes.get(id) ?? before(id);
      const version = projection.mirrors ? event.revision : event.position;
      if (standing && standing.version >= version) continue;
      changes.set(id, { id, version, body: handler(standing?.body ?? null, event, id) });
    }
  }
  return changes;
}
