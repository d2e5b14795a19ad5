import type { Audit } from '../../src/composition/audit';
import type { RecordedEvent } from '../../src/kernel/event';
import { START_OF_LOG, type EventStore } from '../../src/kernel/ports/event-store';

/** All events of the log, in its order. */
export async function everyEvent(store: Pick<EventStore, 'subscribe'>): Promise<readonly RecordedEvent[]> {
  const found: RecordedEvent[] = [];
  const reading = new AbortController();
  for await (const { events, live } of store.subscribe('all', START_OF_LOG, reading.signal)) {
    found.push(...events);
    if (live) reading.abort();
  }
  return found;
}

/** Hands events to the audit log at once, as a consumer of the group does. */
export async function audited({ group }: Audit, events: readonly RecordedEvent[]): Promise<void> {
  await Promise.all(events.map(event => group.handle({ event, retries: 0 })));
}
