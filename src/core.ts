import { mirrorWriter, StoredReadModels } from '../projections/runner/read-models';
import { ALL_PROJECTIONS } from '../projections/all';
import { openEngines, type EngineOpening } from './engines';
import type { Entropy } from './kernel/entropy';
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

/** Throws as openEngines does. */
export async function openCore(
  config: Config,
  log: Logger,
  role: EngineOpening['role'],
  reaching: Pick<EngineOpening, 'connectors' | 'onOpen'> = {},
): Promise<Core> {
  const wall = new SystemClock();
  const entropy = new SystemEntropy();
  const secretBox = new AesSecretBox(loadMasterKey(config, entropy), entropy);
  const engines = await openEngines({ config, log, clock: wall, entropy, role, ...reaching });
  const { store, documents } = engines;
  const clock = new StoredMerchantClocks(wall, store);
  const readModels = new StoredReadModels(documents, store);
  const writes = new WritePath(store, wall, mirrorWriter(documents, ALL_PROJECTIONS, log));
  return { config, log, clock, entropy, secretBox, store, documents, readModels, writes, close: engines.close };
}
