import type { RecordedEvent } from '../../src/kernel/event';
import { START_OF_LOG, type EventStore } from '../../src/kernel/ports/event-store';

/** All events of a category in the log now, in its order; of these types alone where they are named. */
export async function recordedEvents(
  store: Pick<EventStore, 'subscribe'>,
  category: string,
  ...types: readonly string[]
): Promise<readonly RecordedEvent[]> {
  const found: RecordedEvent[] = [];
  const reading = new AbortController();
  for await (const { events, live } of store.subscribe({ categories: [category] }, START_OF_LOG, reading.signal)) {
    found.push(...events.filter(({ type }) => types.length === 0 || types.includes(type)));
    if (live) reading.abort();
  }
  return found;
}
