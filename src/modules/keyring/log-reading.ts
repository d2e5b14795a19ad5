import { parseStreamName, type RecordedEvent } from '../../kernel/event';
import { START_OF_LOG, type EventStore } from '../../kernel/ports/event-store';
import type { UserEvent } from '../users/user.events';
import { dataKeys } from './keyring.decider';
import type { Wrapping } from './keyring.events';

type SealedSecret = { readonly sealed: string; readonly recordId: string };

/**
 * The first secret that the log holds. Before a user has an authenticator, whose secret is sealed, an account has no
 * other secret. Null for none.
 */
export async function oldestSecret(store: EventStore): Promise<SealedSecret | null> {
  if ((await store.firstEventId()) === null) return null;
  for await (const event of eventsOf(store, 'user')) {
    const { stream, type, data } = event as RecordedEvent<UserEvent>;
    if (type !== 'UserRegistered' && type !== 'TotpEnrolled') continue;
    return { sealed: data.totp_secret_sealed, recordId: parseStreamName(stream).id };
  }
  return null;
}

/** The wrappings of all data keys that the log has, by the key's name, the oldest first. */
export async function wrappingsByName(store: EventStore): Promise<ReadonlyMap<string, readonly Wrapping[]>> {
  const known = new Map<string, Wrapping[]>();
  for await (const { stream, data } of eventsOf(store, dataKeys.category)) {
    const { id } = parseStreamName(stream);
    known.set(id, [...(known.get(id) ?? []), data as Wrapping]);
  }
  return known;
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
