import type { Entropy } from '../../kernel/entropy';
import type { DataKeys } from '../../kernel/ports/data-keys';
import { SecretUnreadable, type DerivedKey, type SecretBox, type SecretOwner } from '../../kernel/ports/secret-box';
import { decrypted, encrypted } from './aes-gcm';
import { isFormerText, openFormer, recordKey } from './former-box';

const FORMAT = 'v3';

/**
 * AES-256-GCM under the data key of the secret's owner. The text is `v3.<name of the data key>.<nonce>.<ciphertext and
 * tag>`, the last two base64url. Each record has a key of its own. One key with random nonces may serve 2^32 seals
 * (NIST SP 800-38D). A single key for all kept answers of an owner could reach that number; a record's key never does.
 */
export class AesSecretBox implements SecretBox {
  constructor(
    private readonly dataKeys: DataKeys,
    private readonly entropy: Entropy,
  ) {}

  async seal(plaintext: string, recordId: string, owner: SecretOwner): Promise<string> {
    const { name, bytes } = await this.dataKeys.ofOwner(owner);
    const sealed = encrypted(Buffer.from(plaintext), recordKey(bytes, recordId), recordId, this.entropy);
    return `${FORMAT}.${name}.${sealed}`;
  }

  async open(text: string, recordId: string): Promise<string> {
    if (isFormerText(text)) return openFormer(text, recordId, await this.dataKeys.ofService('secret box'));
    const [format, name = '', ...sealed] = text.split('.');
    if (format !== FORMAT || sealed.length !== 2)
      throw new SecretUnreadable(recordId, 'it is not of the form v3.key.nonce.ciphertext');
    const key = await this.dataKeys.named(name);
    if (key === null) throw new SecretUnreadable(recordId, 'its data key is unknown');
    return decrypted(sealed.join('.'), recordKey(key, recordId), recordId).toString('utf8');
  }

  deriveKey(purpose: DerivedKey): Promise<Uint8Array> {
    return this.dataKeys.ofService(purpose);
  }
}
