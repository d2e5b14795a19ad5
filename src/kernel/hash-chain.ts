import { createHash } from 'node:crypto';
import type { EventMetadata, NewEvent, RecordedEvent } from './event';
import { canonicalJson } from './json';

export const GENESIS_HASH = '0'.repeat(64);

type Unhashed = Omit<NewEvent, 'metadata'> & { readonly metadata: Omit<EventMetadata, 'hash'> };

/**
 * SHA-256 over the canonical JSON of `{stream, revision, id, type, data, metadata without hash}`, as 64 hex characters.
 */
export function eventHash(stream: string, revision: number, event: Unhashed): string {
  return hashOver(stream, revision, event, canonicalJson(event.data));
}

/** As `eventHash`, for a caller that has the canonical JSON of the event's data already. */
export function hashOver(stream: string, revision: number, event: Unhashed, canonicalData: string): string {
  const { id, type, metadata } = event;
  // Names in the order of canonical JSON, which `data` begins.
  const rest = canonicalJson({ id, metadata, revision, stream, type });
  return createHash('sha256').update(`{"data":${canonicalData},`).update(rest.slice(1)).digest('hex');
}

/**
 * The first event whose hash, or whose link to the event before it, is not what its content says; null when all hold.
 */
export function firstBrokenLink(events: readonly RecordedEvent[]): RecordedEvent | null {
  let previous = GENESIS_HASH;
  for (const event of events) {
    const { hash, ...unhashed } = event.metadata;
    if (unhashed.prev_hash !== previous) return event;
    if (eventHash(event.stream, event.revision, { ...event, metadata: unhashed }) !== hash) return event;
    previous = hash;
  }
  return null;
}
