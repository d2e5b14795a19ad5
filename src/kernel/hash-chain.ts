import { hash } from 'node:crypto';
import type { EventMetadata, NewEvent, RecordedEvent } from './event';
import { canonicalJson } from './json';

export const GENESIS_HASH = '0'.repeat(64);

type Unhashed = Omit<NewEvent, 'metadata'> & { readonly metadata: Omit<EventMetadata, 'hash'> };

/**
 * SHA-256 over the canonical JSON of `{stream, revision, id, type, data, metadata without hash}`, as 64 hex characters.
 */
export function eventHash(stream: string, revision: number, event: Unhashed): string {
  const parts = { data: canonicalJson(event.data), metadata: canonicalJson(event.metadata) };
  return hashOver(stream, revision, event, parts);
}

/** The canonical JSON of an event's two parts; without the hash in its metadata. */
export type CanonicalParts = { readonly data: string; readonly metadata: string };

/** As `eventHash`, for a caller that has the canonical JSON of the event's parts already. */
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

/**
 * The first event whose hash, or whose link to the event before it, is not what its content says; null when all hold.
 */
export function firstBrokenLink(events: readonly RecordedEvent[]): RecordedEvent | null {
  let previous = GENESIS_HASH;
  for (const event of events) {
    const { hash: recorded, ...unhashed } = event.metadata;
    if (unhashed.prev_hash !== previous) return event;
    if (eventHash(event.stream, event.revision, { ...event, metadata: unhashed }) !== recorded) return event;
    previous = recorded;
  }
  return null;
}
