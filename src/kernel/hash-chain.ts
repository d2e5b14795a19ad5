import { hash } from 'node:crypto';
import type { EventMetadata, NewEvent } from './event';
import { canonicalJson } from '../vocabulary/json';

export const GENESIS_HASH = '0'.repeat(64);

type Unhashed = Omit<NewEvent, 'metadata'> & { readonly metadata: Omit<EventMetadata, 'hash'> };

/**
 * SHA-256 over the canonical JSON of `{stream, revision, id, type, data, metadata without hash}`, as 64 hex characters.
 */
export function eventHash(stream: string, revision: number, event: Unhashed): string {
  const parts = { data: canonicalJson(event.data), metadata: canonicalJson(event.metadata) };
  return hashOver(stream, revision, event, parts);
}

/** The canonical JSON of an event's data and of its metadata, the latter without the hash. */
type CanonicalParts = { readonly data: string; readonly metadata: string };

/** The same as `eventHash`, for a caller that already has the canonical JSON of the event's parts. */
export function hashOver(
  stream: string,
  revision: number,
  { id, type }: Pick<NewEvent, 'id' | 'type'>,
  { data, metadata }: CanonicalParts,
): string {
  // Names in the order of canonical JSON.
  const before = `{"data":${data},"id":${canonicalJson(id)},"metadata":${metadata},"revision":${canonicalJson(revision)}`;
  return hash('sha256', `${before},"stream":${canonicalJson(stream)},"type":${canonicalJson(type)}}`);
}
