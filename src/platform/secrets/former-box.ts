import { createHmac } from 'node:crypto';
import { SecretUnreadable } from '../../kernel/ports/secret-box';
import { decrypted } from './aes-gcm';

const FORMAT = 'v2';

/** Whether the text is of the form `v2.<key id>.<nonce>.<ciphertext and tag>`, from before there were data keys. */
export function isFormerText(text: string): boolean {
  return text.startsWith(`${FORMAT}.`);
}

/** `rootKey` was derived from the `SECRET_KEY` of then. Throws SecretUnreadable. */
export function openFormer(text: string, recordId: string, rootKey: Uint8Array): string {
  const [, , ...sealed] = text.split('.');
  if (!isFormerText(text) || sealed.length !== 2) throw new SecretUnreadable(recordId, 'its form is unknown');
  return decrypted(sealed.join('.'), recordKey(rootKey, recordId), recordId).toString('utf8');
}

/** Each record has a key of its own: HMAC-SHA-256 of its id. */
export function recordKey(rootKey: Uint8Array, recordId: string): Uint8Array {
  return createHmac('sha256', rootKey).update(recordId).digest();
}
