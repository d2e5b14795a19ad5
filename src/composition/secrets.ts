import type { SecretBox } from '../kernel/ports/secret-box';
import type { Log } from '../kernel/ports/log';
import { Keyring, type KeyringMeans } from '../modules/keyring/keyring';
import { censusLine } from '../modules/keyring/keyring-census';
import type { Config } from '../platform/config/config';
import { AesSecretBox } from '../platform/secrets/aes-secret-box';
import { AesWrappingKey } from '../platform/secrets/aes-wrapping-key';
import { loadMasterKeys, refuseLostKey, VARIABLES, type MasterKeys } from '../platform/secrets/master-key';
import type { EngineOpening } from './engines';

/** The data keys of a log. Nothing is read before the first key is asked for. */
export function composeKeyring(
  { current, former, replaced = null, sources = VARIABLES }: MasterKeys,
  means: KeyringMeans,
): Keyring {
  const configured = (source: string, masterKey: Uint8Array) => {
    return { source, key: new AesWrappingKey(masterKey, means.entropy) };
  };
  const keys = {
    current: configured(sources.current, current),
    former: former && configured(sources.former, former),
    replaced: replaced && configured(sources.replaced, replaced),
  };
  return new Keyring(keys, means);
}

/**
 * The box of a log by the configured keys. The start of a service makes the first data key, and a tool makes none.
 * While two keys are in use, the start tells which one opens how many data keys.
 * Throws Refusal invalid_config where the keys cannot be used, or are not those of the log.
 */
export async function openSecretBox(
  config: Config,
  role: EngineOpening['role'],
  { log, ...means }: KeyringMeans & { readonly log: Log },
): Promise<SecretBox> {
  if ((await means.store.firstEventId()) !== null) refuseLostKey(config);
  const keyring = composeKeyring(loadMasterKeys(config, means.entropy), means);
  if (role === 'tool') await keyring.check();
  else {
    await keyring.open();
    const census = await keyring.census();
    if (census) log.info({ data_keys: census.keys }, `two keys are in use. ${censusLine(census)}`);
  }
  return new AesSecretBox(keyring, means.entropy);
}
