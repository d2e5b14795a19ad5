import type { IncomingMessage } from 'node:http';
import { refuse } from '../../vocabulary/errors';

const HEADER = 'idempotency-key';
const LENGTH_LIMIT = 255;
const PRINTABLE = /^[\x20-\x7e]+$/;

/**
 * Null without the header. Throws Refusal idempotency_key_too_long. Throws invalid_idempotency_key for an empty key,
 * two keys, or a key that is not printable ASCII.
 */
export function idempotencyKey(message: IncomingMessage): string | null {
  const [key, ...others] = message.headersDistinct[HEADER] ?? [];
  if (key === undefined) return null;
  if (others.length > 0) {
    throw refuse('invalid_idempotency_key', { message: 'The header Idempotency-Key is given more than once.' });
  }
  if (key.length > LENGTH_LIMIT) throw refuse('idempotency_key_too_long');
  if (!PRINTABLE.test(key)) throw refuse('invalid_idempotency_key');
  return key;
}
