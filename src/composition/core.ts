import { MirrorsUnderWay } from '../../projections/runner/mirrors-under-way';
import { mirrorWriter, StoredReadModels } from '../../projections/runner/read-models';
import { StoredProgress } from '../../projections/runner/stored-progress';
import { ALL_PROJECTIONS } from '../../projections/all';
import { composeAccess } from './access';
import { UPCASTS } from './aggregates';
import type { CorePorts } from './ports';
import type { AccessReader } from '../kernel/access-reader';
import type { Entropy } from '../kernel/entropy';
import type { MerchantClocks } from '../kernel/merchant-clocks';
import type { Documents } from '../kernel/ports/documents';
import type { EventStore } from '../kernel/ports/event-store';
import type { IndexProgress } from '../kernel/ports/index-progress';
import type { ReadModels } from '../kernel/ports/read-models';
import type { SecretBox } from '../kernel/ports/secret-box';
import { SystemCommands } from '../kernel/system-commands';
import { upcastingStore } from '../kernel/upcasting';
import { WritePath } from '../kernel/write-path';
import { appendOnlyDocuments } from '../modules/audit/append-only-documents';
import { StoredMerchantClocks } from '../modules/sandbox/stored-merchant-clocks';
import type { Config } from '../platform/config/config';
import type { Logger } from '../platform/logging/logger';

/** The base of both the service and the command line: the engines, and the one write path over them. */
export type Core = {
  readonly config: Config;
  readonly log: Logger;
  readonly clock: MerchantClocks;
  readonly entropy: Entropy;
  readonly secretBox: SecretBox;
  /** Every event in its newest shape. */
  readonly store: EventStore;
  readonly documents: Documents;
  /** No other process writes to these documents. */
  readonly isAlone: boolean;
  readonly readModels: ReadModels;
  /** How far the read models follow the log. */
  readonly progress: IndexProgress;
  readonly access: AccessReader;
  readonly writes: WritePath;
  /** The documents that `writes` is writing. */
  readonly mirrors: MirrorsUnderWay;
  readonly commands: SystemCommands;
  readonly close: () => Promise<void>;
};

/** A core with the log as it was recorded: hashes are checked on recorded events. */
export type OpenedCore = Core & { readonly recordedStore: EventStore };

/** Pure assembly: nothing is opened or read. */
export function composeCore(config: Config, { clock: wall, entropy, secretBox, log, engines }: CorePorts): OpenedCore {
  const { store: recordedStore, isAlone, close } = engines;
  const documents = appendOnlyDocuments(engines.documents);
  const upcasting = upcastingStore(recordedStore, UPCASTS);
  const readModels = new StoredReadModels(documents, upcasting, wall);
  const { store, access } = composeAccess(upcasting, documents, readModels);
  const clock = new StoredMerchantClocks(wall, store, access);
  const mirrors = new MirrorsUnderWay();
  const writes = new WritePath(store, wall, mirrorWriter(documents, ALL_PROJECTIONS, log, mirrors));
  const commands = new SystemCommands(writes, clock, entropy);
  const progress = new StoredProgress(store, documents, clock);
  const ports = { log, clock, entropy, secretBox, store, recordedStore, documents, isAlone };
  return { config, ...ports, readModels, progress, access, writes, mirrors, commands, close };
}
