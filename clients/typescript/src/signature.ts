import { createHmac } from 'node:crypto';

/** Throws TypeError for a body that was parsed: written again, its bytes are others. */
export function checkBytes(rawBody: string | Uint8Array): void {
  if (typeof rawBody !== 'string' && !(rawBody instanceof Uint8Array))
    throw new TypeError('rawBody has to be the bytes of the request, not what was parsed from them');
}

/** The secrets as a list. Throws TypeError for no secret, and for an empty one, with which anybody can sign. */
export function signingKeys(secrets: string | readonly string[]): readonly string[] {
  const keys = typeof secrets === 'string' ? [secrets] : secrets;
  if (keys.length === 0 || !keys.every(key => typeof key === 'string' && key.trim() !== ''))
    throw new TypeError('secrets has to hold at least one secret, and no empty one');
  return keys;
}

/** The HMAC-SHA256 over the time, in the very digits of the header, and the body. */
export function signatureOf(rawBody: string | Uint8Array, key: string, timestamp: string): Buffer {
  return createHmac('sha256', key).update(`${timestamp}.`).update(rawBody).digest();
}
