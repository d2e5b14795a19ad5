import type { LogPosition } from '../../../src/kernel/log-position';
import type { Document, Documents } from '../../../src/kernel/ports/documents';
import {
  START_OF_LOG,
  type EventBatch,
  type EventFilter,
  type EventStore,
} from '../../../src/kernel/ports/event-store';
import type { Projection } from '../../../src/kernel/projection';
import { scan, scannableSpec } from '../../../projections/runner/projection-collection';

export async function allDocuments(documents: Documents, projection: Projection): Promise<Document[]> {
  const found: Document[] = [];
  for await (const document of scan(await documents.open(scannableSpec(projection)))) found.push(document);
  return found;
}

export type Repeat = (batch: EventBatch) => readonly EventBatch[];
export const eachTwice: Repeat = batch => [{ ...batch, events: batch.events.flatMap(event => [event, event]) }];
/** A batch for each event, so that something can come about between any two. */
export const oneByOne: Repeat = batch =>
  batch.events.length < 2
    ? [batch]
    : batch.events.map((event, index) => {
        const isLast = index === batch.events.length - 1;
        return isLast ? { ...batch, events: [event] } : { events: [event], position: event.position, live: false };
      });
export const batchesTwice: Repeat = batch => [{ ...batch, position: START_OF_LOG, live: false }, batch];

/** The store as a subscriber sees it: `onBatch` looks at each batch, or fails in its place. */
export function watched(
  store: EventStore,
  onBatch: (batch: EventBatch) => void | Promise<void>,
  repeat: Repeat = batch => [batch],
): EventStore {
  async function* subscribe(filter: EventFilter, after: LogPosition, signal: AbortSignal): AsyncGenerator<EventBatch> {
    for await (const batch of store.subscribe(filter, after, signal)) {
      for (const given of repeat(batch)) {
        await onBatch(given);
        yield given;
      }
    }
  }
  return Object.assign(Object.create(store) as EventStore, { subscribe });
}
