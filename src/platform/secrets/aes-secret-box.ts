import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync } from 'node:crypto';
import type { Entropy } from '../../kernel/entropy';
import type { SecretBox } from '../../kernel/ports/secret-box';

const FORMAT = 'v2';
const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;
const KEY_ID_BYTES = 6;

/** The sealed text cannot be read. Another key sealed it, it belongs to another record, or its bytes were changed. */
export class SecretUnreadable extends Error {
  constructor(recordId: string, why: string, options?: ErrorOptions) {
    super(`the secret of ${recordId} cannot be read: ${why}`, options);
    this.name = 'SecretUnreadable';
  }
}

/**
 * AES-256-GCM with a random 96-bit nonce and the record's id as associated data. The text is `v2.<key
 * id>.<nonce>.<ciphertext and tag>`, each part base64url; the key id tells which key sealed it. Each record has a key
 * of its own: HMAC-SHA-256 of its id. One key with random nonces may serve 2^32 seals (NIST SP 800-38D). A single key
 * for every kept answer could reach that number; the key of one record never does.
 */
export class AesSecretBox implements SecretBox {
  private readonly rootKey: Uint8Array;
  private readonly keyId: string;

  /** `masterKey` is 32 bytes. The service uses only keys that are derived from it. */
  constructor(
    private readonly masterKey: Uint8Array,
    private readonly entropy: Entropy,
  ) {
    if (masterKey.length !== KEY_BYTES) throw new RangeError(`the master key must have ${KEY_BYTES} bytes`);
    this.rootKey = this.deriveKey('secret box');
    this.keyId = createHash('sha256').update(this.rootKey).digest().subarray(0, KEY_ID_BYTES).toString('base64url');
  }

  seal(plaintext: string, recordId: string): string {
    const nonce = this.entropy.bytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.keyOf(recordId), nonce, { authTagLength: TAG_BYTES });
    cipher.setAAD(Buffer.from(recordId));
    const sealed = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return [FORMAT, this.keyId, Buffer.from(nonce).toString('base64url'), sealed.toString('base64url')].join('.');
  }

  open(text: string, recordId: string): string {
    const [format, keyId, nonceText, sealedText, ...rest] = text.split('.');
    if (format !== FORMAT || nonceText === undefined || sealedText === undefined || rest.length > 0)
      throw new SecretUnreadable(recordId, 'it is not of the form v2.key.nonce.ciphertext');
    if (keyId !== this.keyId) throw new SecretUnreadable(recordId, 'it was sealed by another key');
    const [nonce, sealed] = [strictBytes(nonceText), strictBytes(sealedText)];
    if (nonce?.length !== NONCE_BYTES || !sealed || sealed.length < TAG_BYTES)
      throw new SecretUnreadable(recordId, 'its bytes are malformed');
    const decipher = createDecipheriv(CIPHER, this.keyOf(recordId), nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(recordId));
    decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
    try {
      const plaintext = Buffer.concat([decipher.update(sealed.subarray(0, -TAG_BYTES)), decipher.final()]);
      return plaintext.toString('utf8');
    } catch (cause) {
      throw new SecretUnreadable(recordId, 'it was changed, or belongs to another record', { cause });
    }
  }

  deriveKey(purpose: string): Uint8Array {
    return new Uint8Array(hkdfSync('sha256', this.masterKey, new Uint8Array(), purpose, KEY_BYTES));
  }

  private keyOf(recordId: string): Uint8Array {
    return createHmac('sha256', this.rootKey).update(recordId).digest();
  }
}

/** Null unless the text is the one base64url form of its bytes, so that no changed character goes unnoticed. */
function strictBytes(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : null;
}
