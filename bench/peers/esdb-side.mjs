import { CommandHandler } from '@event-driven-io/emmett';
import { getEventStoreDBEventStore } from '@event-driven-io/emmett-esdb';
import { EventStoreDBClient } from '@eventstore/db-client';
import { decided, evolve, initialState } from './peer-commands.mjs';

/** Emmett's commands over a client of its own. */
export function esdbSide(url) {
  const client = EventStoreDBClient.connectionString(url);
  const store = getEventStoreDBEventStore(client);
  const handle = CommandHandler({ evolve, initialState });
  return {
    execute: (paymentId, step) => handle(store, `peer-${paymentId}`, state => decided(step, state)),
    close: () => client.dispose(),
  };
}
