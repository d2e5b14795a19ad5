import { createHash } from 'node:crypto';
import { canonicalBody } from './canonical-body';

/** One record for each (API key, Idempotency-Key): the key's hash, since a client may write anything into a key. */
export function recordId(apiKeyId: string, idempotencyKey: string): string {
  return `${apiKeyId}/${sha256(idempotencyKey)}`;
}

/**
 * The facts that make two requests the same: method, path, and the canonical JSON of the body. The query has no part in
 * it, since a command with a query is refused. A path holds no line break, so no two requests run together.
 */
export function fingerprint(method: string, path: string, body: Uint8Array): string {
  return sha256(`${method} ${path}\n${canonicalBody(body)}`);
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
