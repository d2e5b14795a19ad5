import { createHash, hkdfSync } from 'node:crypto';
import type { Entropy } from '../../kernel/entropy';
import { SERVICE_PURPOSES, type ServicePurpose, type WrappingKey } from '../../kernel/ports/data-keys';
import { decrypted, encrypted } from './aes-gcm';
import { isFormerText, openFormer } from './former-box';

const KEY_BYTES = 32;
const ID_BYTES = 6;
const WRAPPING = 'key wrapping';

/** Wraps data keys by AES-256-GCM with a key that is derived from a `SECRET_KEY`. */
export class AesWrappingKey implements WrappingKey {
  readonly id: string;
  private readonly key: Uint8Array;

  /** `masterKey` is 32 bytes. The service uses only keys that are derived from it. */
  constructor(
    private readonly masterKey: Uint8Array,
    private readonly entropy: Entropy,
  ) {
    if (masterKey.length !== KEY_BYTES) throw new RangeError(`the master key must have ${KEY_BYTES} bytes`);
    this.key = this.derived(WRAPPING);
    this.id = createHash('sha256').update(this.key).digest().subarray(0, ID_BYTES).toString('base64url');
  }

  wrap(key: Uint8Array, name: string): string {
    return encrypted(key, this.key, name, this.entropy);
  }

  unwrap(wrapped: string, name: string): Uint8Array {
    return decrypted(wrapped, this.key, name);
  }

  serviceKey(): Uint8Array {
    return Buffer.concat(SERVICE_PURPOSES.map(purpose => this.derived(purpose)));
  }

  isForeign(sealed: string, recordId: string): boolean {
    if (!isFormerText(sealed)) return false;
    try {
      openFormer(sealed, recordId, this.derived('secret box'));
      return false;
    } catch {
      return true;
    }
  }

  private derived(purpose: ServicePurpose | typeof WRAPPING): Uint8Array {
    return new Uint8Array(hkdfSync('sha256', this.masterKey, new Uint8Array(), purpose, KEY_BYTES));
  }
}
