import type { Clock } from '../kernel/clock';
import type { Entropy } from '../kernel/entropy';
import { refuse } from '../vocabulary/errors';
import type { Documents } from '../kernel/ports/documents';
import { StoreUnavailable, type EventStore } from '../kernel/ports/event-store';
import { ALL_ROLES, type Config } from '../platform/config/config';
import { EmbeddedDocuments } from '../platform/documents/embedded/embedded-documents';
import { EmbeddedFile } from '../platform/embedded-file/embedded-file';
import { shareServiceLock } from '../platform/embedded-file/service-lock';
import { EmbeddedEventStore } from '../platform/event-store/embedded/embedded-event-store';
import type { EventStoreDbStore } from '../platform/event-store/eventstoredb/eventstoredb-store';
import { loggedFailures } from '../platform/event-store/handler-failure';
import type { Logger } from '../platform/logging/logger';
import { hideCredentials } from '../platform/logging/redaction';
import type { Engines } from './ports';

type EngineName = 'event_store' | 'document_store';

/** The functions that connect to engines which are servers. */
export type Connectors = {
  readonly eventStore: (...options: Parameters<typeof EventStoreDbStore.connect>) => Promise<EventStore>;
  readonly documents: (url: string) => Promise<Documents>;
};

export type EngineOpening = {
  readonly config: Config;
  readonly log: Logger;
  readonly clock: Clock;
  readonly entropy: Entropy;
  /** A `service` takes the data folder for itself, or shares its key with others; a `tool` works beside it. */
  readonly role: 'service' | 'tool';
  readonly connectors?: Connectors;
  /** Called for each engine that answers. */
  readonly onOpen?: (engine: EngineName) => void;
};

/** A server's client takes a tenth of a second to load, so only a configuration that names the server loads it. */
const CONNECTORS: Connectors = {
  async eventStore(...options) {
    const { EventStoreDbStore } = await import('../platform/event-store/eventstoredb/eventstoredb-store.js');
    return EventStoreDbStore.connect(...options);
  },
  async documents(url) {
    const { MongoDocuments } = await import('../platform/documents/mongodb/mongo-documents.js');
    return MongoDocuments.connect(url);
  },
};

/**
 * Throws StoreUnavailable while a server is away. Throws Refusal invalid_config where a server refuses this service, a
 * URL names none, or an embedded engine is given a part of the roles.
 */
export async function openEngines(opening: EngineOpening): Promise<Engines> {
  const { config, log, clock, entropy, role, connectors = CONNECTORS, onOpen } = opening;
  const embedded = config.eventStoreUrl === null || config.mongodbUrl === null;
  if (embedded && role === 'service') refusePartOfRoles(config);
  const file = embedded ? EmbeddedFile.open(config.dataFolder, { role }) : null;
  const sharesKey = role === 'service' && !file && config.secretKey === null;
  const lock = sharesKey ? shareServiceLock(config.dataFolder) : null;
  if (file && role === 'service' && config.environment === 'production') {
    log.warn({ data_folder: config.dataFolder }, 'an embedded engine runs in production: one process, one machine');
  }
  const onHandlerError = loggedFailures(log);
  const onDrop = (subscription: string, err: unknown): void =>
    log.warn({ subscription, err }, 'subscription dropped: it is made anew');
  const store = config.eventStoreUrl
    ? reached('EVENTSTORE_URL', connectors.eventStore(config.eventStoreUrl, { onDrop, onHandlerError }, clock, entropy))
    : Promise.resolve(new EmbeddedEventStore(file as EmbeddedFile, clock, onHandlerError, entropy));
  const documents = config.mongodbUrl
    ? reached('MONGODB_URL', connectors.documents(config.mongodbUrl))
    : Promise.resolve(new EmbeddedDocuments(file as EmbeddedFile));
  const close = async (): Promise<void> => {
    for (const engine of await Promise.allSettled([store, documents])) {
      if (engine.status === 'fulfilled') await engine.value.close();
    }
    file?.close();
    lock?.release();
  };
  try {
    // The embedded file belongs to one service, and tools work beside that service.
    const isAlone = role === 'service' && config.mongodbUrl === null;
    return { ...(await bothOf(store, documents, onOpen)), isAlone, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** No other process can play the roles that are left out: the embedded file belongs to one service. */
function refusePartOfRoles({ roles }: Config): void {
  const missing = ALL_ROLES.filter(role => !roles.includes(role));
  if (missing.length === 0) return;
  const remedy = 'Name all roles, or set EVENTSTORE_URL and MONGODB_URL.';
  const message = `ROLES: the embedded engines need all roles in one process, and lack ${missing.join(', ')}. ${remedy}`;
  throw refuse('invalid_config', { param: 'ROLES', message });
}

/** Waits for both, so that a fault of one engine is told although the other is away. */
async function bothOf(store: Promise<EventStore>, documents: Promise<Documents>, onOpen?: EngineOpening['onOpen']) {
  const results = await Promise.allSettled([
    store.then(() => onOpen?.('event_store')),
    documents.then(() => onOpen?.('document_store')),
  ]);
  const errors = results.flatMap((result): unknown[] => (result.status === 'rejected' ? [result.reason] : []));
  const fault = errors.find(error => !(error instanceof StoreUnavailable)) ?? errors[0];
  if (fault !== undefined) throw fault as Error;
  return { store: await store, documents: await documents };
}

/** A server that is away may come back. A server that refuses will refuse again until the configuration is changed. */
async function reached<T>(variable: string, connecting: Promise<T>): Promise<T> {
  try {
    return await connecting;
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error;
    const reason = error instanceof Error ? error.message || error.name : String(error);
    throw refuse('invalid_config', {
      param: variable,
      message: `${variable} cannot be used: ${hideCredentials(reason)}`,
      cause: error,
    });
  }
}

/** The state of each engine before it is opened: an embedded engine is never away. */
export function enginesAtStart({ eventStoreUrl, mongodbUrl }: Config): Record<EngineName, 'ok' | 'unavailable'> {
  const state = (url: string | null) => (url === null ? 'ok' : 'unavailable');
  return { event_store: state(eventStoreUrl), document_store: state(mongodbUrl) };
}
