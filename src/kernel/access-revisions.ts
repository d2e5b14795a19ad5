import { parseStreamName } from './event';
import { forwardingStore } from './forwarding-store';
import type { Collection, CollectionSpec, Documents } from './ports/documents';
import type { EventStore } from './ports/event-store';

export const ACCESS_DOCUMENTS: CollectionSpec = { name: 'access', indexes: {} };

/** The revision of a stream that does not exist. */
export const NO_REVISION = -1;

/**
 * One document for each stream that says who may do what. The document's version is the stream's newest revision, or
 * the revision that a writer is about to append. So the document is behind at no moment. No projection writes these
 * documents, and no rebuild takes any of them back.
 */
export class AccessRevisions {
  private opening: Promise<Collection> | null = null;

  constructor(private readonly documents: Documents) {}

  /** The revisions by stream, in one round trip; a stream without a document is left out. */
  async of(streams: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const documents = await (await this.opened()).getAll(streams);
    return new Map(documents.map(({ id, version }) => [id, version]));
  }

  /** Never lowers a revision. */
  async raise(stream: string, revision: number): Promise<void> {
    await (await this.opened()).putNewer({ id: stream, version: revision, body: {} });
  }

  /** A failure to open is not kept. */
  private opened(): Promise<Collection> {
    if (this.opening) return this.opening;
    const opening = this.documents.open(ACCESS_DOCUMENTS);
    this.opening = opening;
    opening.catch(() => (this.opening = null));
    return opening;
  }
}

/**
 * Raises the revision of a stream of these categories before each append to it. A process that is killed between the
 * two leaves a revision that is too high: readers then ask the stream itself, until its next event. The other order
 * would leave a withdrawal that nobody sees.
 */
export function raisingStore(store: EventStore, revisions: AccessRevisions, categories: Iterable<string>): EventStore {
  const raised = new Set(categories);
  return {
    ...forwardingStore(store),
    append: async (stream, expected, events) => {
      const last = (expected === 'no_stream' ? NO_REVISION : expected) + events.length;
      if (raised.has(parseStreamName(stream).category)) await revisions.raise(stream, last);
      return store.append(stream, expected, events);
    },
  };
}
