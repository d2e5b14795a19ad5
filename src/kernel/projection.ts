import type { RecordedEvent } from './event';
import { parseStreamName } from './event';
import type { JsonObject } from './json';
import type { Document } from './ports/documents';
import type { ReadModel } from './ports/read-models';

/** `any`, because a handler names the one event it takes; the runner calls it with no other. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type ProjectionHandler<Body> = (body: Body | null, event: any) => Body | null;

/**
 * A read model and its filling, as a value: pure, without I/O or clock; the same events give the same documents, byte
 * for byte. It takes the events of its categories that `on` names; a handler that answers null removes the document.
 */
export type Projection<Body extends JsonObject = JsonObject> = ReadModel<Body> & {
  /** The categories of the streams that feed the documents. */
  readonly categories: readonly string[];
  /**
   * True where each document is fed by one stream only. Its version is then that stream's revision, and the command
   * that appends writes it at once; all of them are of the one category. Otherwise the version is the log's position,
   * and the runner alone writes.
   */
  readonly mirrors: boolean;
  /** Which document the event changes; null for none. */
  readonly key: (event: RecordedEvent) => string | null;
  readonly on: Readonly<Record<string, ProjectionHandler<Body>>>;
};

/** Null where the projection's documents are not fed by one stream each. */
export function mirroredCategory({ categories, mirrors }: Pick<Projection, 'categories' | 'mirrors'>): string | null {
  return mirrors ? (categories[0] ?? null) : null;
}

/** The key of a projection whose document is its stream: the stream's own id. */
export function streamId(event: RecordedEvent): string {
  return parseStreamName(event.stream).id;
}

export type DocumentChange<Body extends JsonObject = JsonObject> = {
  readonly id: string;
  readonly version: number;
  /** Null: removed. */
  readonly body: Body | null;
};

/**
 * Folds `events`, in their order, into the documents that they change. `before` answers what stands now; events that a
 * document already has, by its version, are skipped.
 */
export function applyEvents<Body extends JsonObject>(
  projection: Projection<Body>,
  events: readonly RecordedEvent[],
  before: (id: string) => Document<Body> | null,
): ReadonlyMap<string, DocumentChange<Body>> {
  const changes = new Map<string, DocumentChange<Body>>();
  for (const event of events) {
    const handler = projection.on[event.type];
    const id = handler && projection.key(event);
    if (!handler || !id) continue;
    const standing = changes.get(id) ?? before(id);
    const version = projection.mirrors ? event.revision : event.position;
    if (standing && standing.version >= version) continue;
    changes.set(id, { id, version, body: handler(standing?.body ?? null, event) });
  }
  return changes;
}
