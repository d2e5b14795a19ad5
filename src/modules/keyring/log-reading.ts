import { parseStreamName, type RecordedEvent } from '../../kernel/event';
import { START_OF_LOG, type EventStore } from '../../kernel/ports/event-store';
import type { UserEvent } from '../merchants/user.events';
import { dataKeys } from './keyring.decider';

type SealedSecret = { readonly sealed: string; readonly recordId: string };

/** The first secret that the log holds: each account begins with a user, whose secret is sealed. Null for none. */
export async function oldestSecret(store: EventStore): Promise<SealedSecret | null> {
  if ((await store.firstEventId()) === null) return null;
  for await (const event of eventsOf(store, 'user')) {
    const { stream, data } = event as RecordedEvent<UserEvent>;
    return { sealed: data.totp_secret_sealed, recordId: parseStreamName(stream).id };
  }
  return null;
}

/** The names of all data keys that the log has. */
export async function keyNames(store: EventStore): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  for await (const { stream } of eventsOf(store, dataKeys.category)) names.add(parseStreamName(stream).id);
  return names;
}

/** The category's events as of now, in the log's order. */
async function* eventsOf(store: EventStore, category: string): AsyncGenerator<RecordedEvent, void, undefined> {
  const reading = new AbortController();
  try {
    for await (const { events, live } of store.subscribe({ categories: [category] }, START_OF_LOG, reading.signal)) {
      yield* events;
      if (live) return;
    }
  } finally {
    reading.abort();
  }
}
