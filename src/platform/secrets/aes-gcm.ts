import { createCipheriv, createDecipheriv } from 'node:crypto';
import type { Entropy } from '../../kernel/entropy';
import { SecretUnreadable } from '../../kernel/ports/secret-box';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * `<nonce>.<ciphertext and tag>`, both base64url, by AES-256-GCM with a random 96-bit nonce. The record's id is the
 * associated data.
 */
export function encrypted(plaintext: Uint8Array, key: Uint8Array, recordId: string, entropy: Entropy): string {
  const nonce = entropy.bytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(recordId));
  const sealed = Buffer.concat([cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
  return `${Buffer.from(nonce).toString('base64url')}.${sealed.toString('base64url')}`;
}

/** Throws SecretUnreadable where the text was changed, belongs to another record, or was made with another key. */
export function decrypted(text: string, key: Uint8Array, recordId: string): Buffer {
  const [nonceText = '', sealedText = '', ...rest] = text.split('.');
  const [nonce, sealed] = [strictBytes(nonceText), strictBytes(sealedText)];
  if (rest.length > 0 || nonce?.length !== NONCE_BYTES || !sealed || sealed.length < TAG_BYTES)
    throw new SecretUnreadable(recordId, 'its bytes are malformed');
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(recordId));
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(0, -TAG_BYTES)), decipher.final()]);
  } catch (cause) {
    throw new SecretUnreadable(recordId, 'it was changed, or belongs to another record', { cause });
  }
}

/** Null unless the text is the one base64url form of its bytes, so that no changed character goes unnoticed. */
function strictBytes(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : null;
}
