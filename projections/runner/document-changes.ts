import { parseStreamName, type RecordedEvent } from '../../src/kernel/event';
import type { JsonObject } from '../../src/vocabulary/json';
import type { Collection, Document } from '../../src/kernel/ports/documents';
import { applyEvents, documentIds, isTaken, type DocumentChange, type Projection } from '../../src/kernel/projection';
import { PoisonEvent } from './poison-event';
import { DOCUMENTS_PER_WRITE } from './projection-collection';

/** The events that the projection takes: those of its categories whose types it handles. */
export function feeding(projection: Projection, events: readonly RecordedEvent[]): readonly RecordedEvent[] {
  return events.filter(
    ({ type, stream }) => isTaken(projection, type) && projection.categories.includes(parseStreamName(stream).category),
  );
}

/** Applies the events, and names the one at fault. Throws PoisonEvent. */
export function foldEvents<Body extends JsonObject>(
  projection: Projection<Body>,
  events: readonly RecordedEvent[],
  before: (id: string) => Document<Body> | null,
): ReadonlyMap<string, DocumentChange<Body>> {
  try {
    return applyEvents(projection, events, before);
  } catch (error) {
    // The events are applied once more, in batches that grow by one event. The first batch that fails ends with the
    // event at fault.
    for (let count = 1; count < events.length; count++) {
      try {
        applyEvents(projection, events.slice(0, count), before);
      } catch (cause) {
        throw new PoisonEvent(projection.name, events[count - 1] as RecordedEvent, cause);
      }
    }
    throw new PoisonEvent(projection.name, events.at(-1) as RecordedEvent, error);
  }
}

/** Ids of the documents that the events change. Throws PoisonEvent. */
export function changedIds(projection: Projection, events: readonly RecordedEvent[]): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const event of events) {
    try {
      for (const id of documentIds(projection, event)) ids.add(id);
    } catch (cause) {
      throw new PoisonEvent(projection.name, event, cause);
    }
  }
  return ids;
}

/** The changes that the events make to documents, without the removal of a document that is not there. */
export async function readChanges<Body extends JsonObject>(
  projection: Projection<Body>,
  collection: Collection<Body>,
  batch: readonly RecordedEvent[],
): Promise<readonly DocumentChange<Body>[]> {
  const events = feeding(projection, batch);
  const standing = new Map<string, Document<Body>>();
  const read = async (id: string): Promise<void> => {
    const document = await collection.get(id);
    if (document) standing.set(id, document);
  };
  await Promise.all([...changedIds(projection, events)].map(read));
  const changes = foldEvents(projection, events, id => standing.get(id) ?? null);
  return [...changes.values()].filter(({ id, body }) => body !== null || standing.has(id));
}

export async function writeChanges<Body extends JsonObject>(
  collection: Collection<Body>,
  changes: readonly DocumentChange<Body>[],
): Promise<void> {
  const puts = changes.filter((change): change is Document<Body> => change.body !== null);
  for (let from = 0; from < puts.length; from += DOCUMENTS_PER_WRITE) {
    await collection.putAllNewer(puts.slice(from, from + DOCUMENTS_PER_WRITE));
  }
  const removed = changes.filter(({ body }) => body === null);
  for (let from = 0; from < removed.length; from += DOCUMENTS_PER_WRITE) {
    const part = removed.slice(from, from + DOCUMENTS_PER_WRITE);
    await Promise.all(part.map(({ id, version }) => collection.deleteUpTo(id, version)));
  }
}
