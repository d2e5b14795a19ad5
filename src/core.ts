import { mirrorWriter, StoredReadModels } from '../projections/runner/read-models';
import { ALL_PROJECTIONS } from '../projections/all';
import type { Entropy } from './kernel/entropy';
import type { Clock } from './kernel/clock';
import type { MerchantClocks } from './kernel/merchant-clocks';
import type { Documents } from './kernel/ports/documents';
import type { EventStore } from './kernel/ports/event-store';
import type { ReadModels } from './kernel/ports/read-models';
import type { SecretBox } from './kernel/ports/secret-box';
import { WritePath } from './kernel/write-path';
import { StoredMerchantClocks } from './modules/sandbox/stored-merchant-clocks';
import { SystemClock } from './platform/clock/system-clock';
import { SystemEntropy } from './platform/clock/system-entropy';
import type { Config } from './platform/config/config';
import { MongoDocuments } from './platform/documents/mongodb/mongo-documents';
import { EmbeddedDocuments } from './platform/documents/embedded/embedded-documents';
import { EmbeddedFile } from './platform/embedded-file/embedded-file';
import { EmbeddedEventStore } from './platform/event-store/embedded/embedded-event-store';
import { EventStoreDbStore } from './platform/event-store/eventstoredb/eventstoredb-store';
import type { OnHandlerError } from './platform/event-store/handler-failure';
import type { Logger } from './platform/logging/logger';
import { AesSecretBox } from './platform/secrets/aes-secret-box';
import { loadMasterKey } from './platform/secrets/master-key';

/** What the service and the command line both stand on: the engines, and the one write path over them. */
export type Core = {
  readonly config: Config;
  readonly log: Logger;
  readonly clock: MerchantClocks;
  readonly entropy: Entropy;
  readonly secretBox: SecretBox;
  readonly store: EventStore;
  readonly documents: Documents;
  readonly readModels: ReadModels;
  readonly writes: WritePath;
  readonly close: () => Promise<void>;
};

/** A `service` takes the data folder for itself; a `tool` works beside it. */
export async function openCore(config: Config, log: Logger, role: 'service' | 'tool'): Promise<Core> {
  const wall = new SystemClock();
  const entropy = new SystemEntropy();
  const secretBox = new AesSecretBox(loadMasterKey(config, entropy), entropy);
  const engines = await openEngines(config, log, wall, entropy, role);
  const { store, documents } = engines;
  const clock = new StoredMerchantClocks(wall, store);
  const readModels = new StoredReadModels(documents, store);
  const writes = new WritePath(store, wall, mirrorWriter(documents, ALL_PROJECTIONS, log));
  return { config, log, clock, entropy, secretBox, store, documents, readModels, writes, close: engines.close };
}

type Engines = Pick<Core, 'store' | 'documents' | 'close'>;

async function openEngines(
  config: Config,
  log: Logger,
  clock: Clock,
  entropy: Entropy,
  role: 'service' | 'tool',
): Promise<Engines> {
  const embedded = config.eventStoreUrl === null || config.mongodbUrl === null;
  const file = embedded ? EmbeddedFile.open(config.dataFolder, { role }) : null;
  if (file && role === 'service' && config.environment === 'production') {
    log.warn({ data_folder: config.dataFolder }, 'an embedded engine runs in production: one process, one machine');
  }
  const onHandlerError: OnHandlerError = (group, { id, type }, err, fate) => {
    const facts = { group, event: id, type, err };
    if (fate === 'parked') log.error(facts, 'handler failed to the last: the message is parked until it is replayed');
    else if (fate === 'held') log.warn(facts, 'handler met an outage: the message is held until it is over');
    else log.error(facts, 'handler failed: the message comes again');
  };
  const onDrop = (subscription: string, err: unknown): void =>
    log.warn({ subscription, err }, 'subscription dropped: it is made anew');
  const store = config.eventStoreUrl
    ? await EventStoreDbStore.connect(config.eventStoreUrl, { onDrop, onHandlerError }, clock, entropy)
    : new EmbeddedEventStore(file as EmbeddedFile, clock, onHandlerError, entropy);
  const documents = config.mongodbUrl
    ? await MongoDocuments.connect(config.mongodbUrl)
    : new EmbeddedDocuments(file as EmbeddedFile);
  const close = async (): Promise<void> => {
    await store.close();
    await documents.close();
    file?.close();
  };
  return { store, documents, close };
}
