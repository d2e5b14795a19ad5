import { createHmac } from 'node:crypto';
import type { DataKeys } from '../../src/kernel/ports/data-keys';
import type { Entropy } from '../../src/kernel/entropy';
import { ownerKeyName } from '../../src/modules/keyring/keyring.decider';
import { AesSecretBox } from '../../src/platform/secrets/aes-secret-box';

/** Data keys that follow from a root and a name, without a log. */
export function fixedDataKeys(root: Uint8Array): DataKeys {
  const keyOf = (name: string): Uint8Array => createHmac('sha256', root).update(name).digest();
  return {
    ofOwner: ({ universe, merchantId }) => {
      const name = ownerKeyName(universe, merchantId);
      return Promise.resolve({ name, bytes: keyOf(name) });
    },
    named: name => Promise.resolve(/^[a-z]+_\w+$/.test(name) ? keyOf(name) : null),
    ofService: purpose => Promise.resolve(keyOf(purpose)),
  };
}

export function fixedBox(root: Uint8Array, entropy: Entropy): AesSecretBox {
  return new AesSecretBox(fixedDataKeys(root), entropy);
}
