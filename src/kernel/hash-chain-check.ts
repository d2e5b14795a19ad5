import type { RecordedEvent } from './event';
import { eventHash, GENESIS_HASH } from './hash-chain';

/** The revision and hash on which a stream's next event must follow. */
export type Link = { readonly revision: number; readonly hash: string };

export const NO_LINK: Link = { revision: -1, hash: GENESIS_HASH };

/**
 * The reason why an event does not hold. Events before it are missing, its predecessor is another, or its content is
 * not the hashed content.
 */
export type Fault = 'revision_gap' | 'previous_hash_differs' | 'content_differs';

export function linkOf({ revision, metadata }: RecordedEvent): Link {
  return { revision, hash: metadata.hash };
}

export function faultOf(event: RecordedEvent, previous: Link): Fault | null {
  const { hash, ...metadata } = event.metadata;
  if (event.revision !== previous.revision + 1) return 'revision_gap';
  if (metadata.prev_hash !== previous.hash) return 'previous_hash_differs';
  return eventHash(event.stream, event.revision, { ...event, metadata }) === hash ? null : 'content_differs';
}

export type BrokenLink = { readonly revision: number; readonly fault: Fault };

/** The first event of a stream, read from its start as it was recorded, that does not hold; null where all do. */
export function firstBrokenLink(recorded: readonly RecordedEvent[]): BrokenLink | null {
  let link = NO_LINK;
  for (const event of recorded) {
    const fault = faultOf(event, link);
    if (fault) return { revision: event.revision, fault };
    link = linkOf(event);
  }
  return null;
}
