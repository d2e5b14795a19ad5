import { BoundedMap } from '../../src/kernel/bounded-map';
import { parseStreamName, streamName, type RecordedEvent, type Universe } from '../../src/kernel/event';
import type { JsonObject } from '../../src/kernel/json';
import type { Collection, Document, Documents, ListQuery } from '../../src/kernel/ports/documents';
import type { EventStore } from '../../src/kernel/ports/event-store';
import type { Log } from '../../src/kernel/ports/log';
import type { ReadModels } from '../../src/kernel/ports/read-models';
import { mirroredCategory, type Projection } from '../../src/kernel/projection';
import type { MirrorWriter } from '../../src/kernel/write-path';
import type { AnyProjection } from './any-projection';
import { foldEvents } from './document-changes';
import { collectionSpec } from './projection-collection';

/** Removals remembered by a process, so that none of its own slower commands brings a removed document back. */
const REMOVALS_LIMIT = 10_000;

/** Opens each projection's collection once; a failure to open is not kept. */
class Collections {
  private readonly opened = new Map<string, Promise<Collection>>();

  constructor(private readonly documents: Documents) {}

  of<Body extends JsonObject>(projection: Projection<Body>): Promise<Collection<Body>> {
    const known = this.opened.get(projection.name);
    const opening = known ?? this.documents.open(collectionSpec(projection));
    if (!known) {
      this.opened.set(projection.name, opening);
      opening.catch(() => this.opened.delete(projection.name));
    }
    return opening as Promise<Collection<never>> as Promise<Collection<Body>>;
  }
}

/** What the projections wrote, and for one document of one stream also what that stream says beyond it. */
export class StoredReadModels implements ReadModels {
  private readonly collections: Collections;

  constructor(
    documents: Documents,
    private readonly store: EventStore,
  ) {
    this.collections = new Collections(documents);
  }

  async get<Body extends JsonObject>(
    projection: Projection<Body>,
    universe: Universe,
    id: string,
  ): Promise<Document<Body> | null> {
    const collection = await this.collections.of(projection);
    const stored = await collection.get(id);
    // An id of the other mode is one that never existed: no reader can forget to ask.
    const document = stored && (stored.body.mode ?? universe) === universe ? stored : null;
    return this.upToDate(projection, universe, id, document);
  }

  freshen<Body extends JsonObject>(
    projection: Projection<Body>,
    universe: Universe,
    document: Document<Body>,
  ): Promise<Document<Body> | null> {
    return this.upToDate(projection, universe, document.id, document);
  }

  private async upToDate<Body extends JsonObject>(
    projection: Projection<Body>,
    universe: Universe,
    id: string,
    document: Document<Body> | null,
  ): Promise<Document<Body> | null> {
    const category = mirroredCategory(projection);
    if (category === null) return document;
    const stream = streamName(universe, category, id);
    const tail = await this.store.readStream(stream, { from: document ? document.version + 1 : 0 });
    const change = foldEvents(projection, tail, key => (key === id ? document : null)).get(id);
    if (!change) return document;
    return change.body === null ? null : { id, version: change.version, body: change.body };
  }

  async list<Body extends JsonObject>(
    projection: Projection<Body>,
    query: ListQuery,
  ): Promise<readonly Document<Body>[]> {
    const collection = await this.collections.of(projection);
    return collection.list(query);
  }
}

/**
 * Writes what a command just appended into the documents that mirror its stream, folded from the stream's whole history
 * and guarded by its revision. A failure is logged and left to the runner, which brings the same; a read by id is right
 * in the meantime.
 */
export function mirrorWriter(documents: Documents, projections: readonly AnyProjection[], log: Log): MirrorWriter {
  const collections = new Collections(documents);
  const removed = new BoundedMap<string, number>(REMOVALS_LIMIT);

  async function write(projection: AnyProjection, history: readonly RecordedEvent[]): Promise<void> {
    const collection = await collections.of(projection);
    for (const { id, version, body } of foldEvents(projection, history, () => null).values()) {
      const key = `${projection.name}/${id}`;
      if (body !== null) {
        if ((removed.get(key) ?? -1) < version) await collection.putNewer({ id, version, body });
      } else {
        // Also where this process has removed it: a slower one may have put it back since.
        removed.set(key, version);
        await collection.deleteUpTo(id, version);
      }
    }
  }

  return async (stream, history) => {
    const { category } = parseStreamName(stream);
    const mirrors = projections.filter(projection => mirroredCategory(projection) === category);
    const writing = mirrors.map(async projection => {
      try {
        await write(projection, history);
      } catch (error) {
        log.warn({ projection: projection.name, stream, err: error }, 'a mirror was left to the runner');
      }
    });
    await Promise.all(writing);
  };
}
