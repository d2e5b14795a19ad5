import type { SecretBox } from '../kernel/ports/secret-box';
import { Keyring, type KeyringMeans } from '../modules/keyring/keyring';
import type { Config } from '../platform/config/config';
import { AesSecretBox } from '../platform/secrets/aes-secret-box';
import { AesWrappingKey } from '../platform/secrets/aes-wrapping-key';
import { loadMasterKeys, refuseLostKey, type MasterKeys } from '../platform/secrets/master-key';
import type { EngineOpening } from './engines';

/** The data keys of a log. Nothing is read before the first key is asked for. */
export function composeKeyring({ current, former, replaced = null }: MasterKeys, means: KeyringMeans): Keyring {
  const wrappingKey = (masterKey: Uint8Array) => new AesWrappingKey(masterKey, means.entropy);
  const keys = {
    current: wrappingKey(current),
    former: former && wrappingKey(former),
    replaced: replaced && wrappingKey(replaced),
  };
  return new Keyring(keys, means);
}

export function composeSecretBox(keys: MasterKeys, means: KeyringMeans): SecretBox {
  return new AesSecretBox(composeKeyring(keys, means), means.entropy);
}

/**
 * The box of a log by the configured keys. The start of a service makes the first data key, and a tool makes none.
 * Throws Refusal invalid_config where the keys cannot be used, or are not those of the log.
 */
export async function openSecretBox(
  config: Config,
  role: EngineOpening['role'],
  means: KeyringMeans,
): Promise<SecretBox> {
  if ((await means.store.firstEventId()) !== null) refuseLostKey(config);
  const keyring = composeKeyring(loadMasterKeys(config, means.entropy), means);
  await (role === 'service' ? keyring.open() : keyring.check());
  return new AesSecretBox(keyring, means.entropy);
}
