import { parseIsoTime, SECOND_MS, type Clock } from '../../src/kernel/clock';
import type { RecordedEvent } from '../../src/kernel/event';
import type { LogPosition } from '../../src/kernel/log-position';
import type { EventFilter, EventStore } from '../../src/kernel/ports/event-store';
import type { Projection } from '../../src/kernel/projection';
import { feeding } from './document-changes';

/** The oldest event that a projection has not got is sought in the log for so long at most. */
const SEARCH_LIMIT_MS = 10 * SECOND_MS;

/**
 * A projection's lag: the age in milliseconds of the oldest event that it takes and has not got. 0 where the projection
 * has all events. Null where that event is not found in time.
 */
export function lagOf(
  { store, clock }: { readonly store: EventStore; readonly clock: Clock },
  projection: Projection,
  after: LogPosition,
): Promise<number | null> {
  const { categories } = projection;
  return lagAfter({ store, clock }, { categories }, after, events => feeding(projection, events));
}

/** The same for a reader that takes the events of the filter, or those of them that `taken` names. */
export async function lagAfter(
  { store, clock }: { readonly store: Pick<EventStore, 'subscribe'>; readonly clock: Clock },
  filter: EventFilter,
  after: LogPosition,
  taken = (events: readonly RecordedEvent[]) => events,
): Promise<number | null> {
  const leaving = new AbortController();
  const late = clock.wait(SEARCH_LIMIT_MS, leaving.signal).then(() => leaving.abort());
  try {
    for await (const { events, live } of store.subscribe(filter, after, leaving.signal)) {
      const [oldest] = taken(events);
      if (oldest) return Math.max(clock.now() - parseIsoTime(oldest.metadata.recorded_at), 0);
      if (live) return 0;
    }
    return null;
  } finally {
    leaving.abort();
    await late;
  }
}
