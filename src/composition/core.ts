import { mirrorWriter, StoredReadModels } from '../../projections/runner/read-models';
import { ALL_PROJECTIONS } from '../../projections/all';
import { UPCASTS } from './aggregates';
import { openEngines, type EngineOpening } from './engines';
import type { Entropy } from '../kernel/entropy';
import type { MerchantClocks } from '../kernel/merchant-clocks';
import type { Documents } from '../kernel/ports/documents';
import type { EventStore } from '../kernel/ports/event-store';
import type { ReadModels } from '../kernel/ports/read-models';
import type { SecretBox } from '../kernel/ports/secret-box';
import { upcastingStore } from '../kernel/upcasting';
import { WritePath } from '../kernel/write-path';
import { StoredMerchantClocks } from '../modules/sandbox/stored-merchant-clocks';
import { SystemClock } from '../platform/clock/system-clock';
import { SystemEntropy } from '../platform/clock/system-entropy';
import type { Config } from '../platform/config/config';
import type { Logger } from '../platform/logging/logger';
import { AesSecretBox } from '../platform/secrets/aes-secret-box';
import { loadMasterKey } from '../platform/secrets/master-key';

/** What the service and the command line both stand on: the engines, and the one write path over them. */
export type Core = {
  readonly config: Config;
  readonly log: Logger;
  readonly clock: MerchantClocks;
  readonly entropy: Entropy;
  readonly secretBox: SecretBox;
  /** Every event in its newest shape. */
  readonly store: EventStore;
  readonly documents: Documents;
  readonly readModels: ReadModels;
  readonly writes: WritePath;
  readonly close: () => Promise<void>;
};

/** With the log as it was recorded: hashes are checked on that. */
export type OpenedCore = Core & { readonly recordedStore: EventStore };

/** Throws as openEngines does. */
export async function openCore(
  config: Config,
  log: Logger,
  role: EngineOpening['role'],
  reaching: Pick<EngineOpening, 'connectors' | 'onOpen'> = {},
): Promise<OpenedCore> {
  const wall = new SystemClock();
  const entropy = new SystemEntropy();
  const secretBox = new AesSecretBox(loadMasterKey(config, entropy), entropy);
  const engines = await openEngines({ config, log, clock: wall, entropy, role, ...reaching });
  const { store: recordedStore, documents } = engines;
  const store = upcastingStore(recordedStore, UPCASTS);
  const clock = new StoredMerchantClocks(wall, store);
  const readModels = new StoredReadModels(documents, store);
  const writes = new WritePath(store, wall, mirrorWriter(documents, ALL_PROJECTIONS, log));
  const { close } = engines;
  return { config, log, clock, entropy, secretBox, store, recordedStore, documents, readModels, writes, close };
}
