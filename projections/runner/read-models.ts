import { BoundedMap } from '../../src/kernel/bounded-map';
import type { Clock } from '../../src/kernel/clock';
import { parseStreamName, streamName, type RecordedEvent } from '../../src/kernel/event';
import type { Universe } from '../../src/vocabulary/modes';
import { invariant } from '../../src/kernel/invariant';
import type { JsonObject } from '../../src/vocabulary/json';
import type { Collection, Document, Documents, ListQuery } from '../../src/kernel/ports/documents';
import { NEWEST_EVENT, type EventStore } from '../../src/kernel/ports/event-store';
import type { Log } from '../../src/kernel/ports/log';
import { ReadModelBeingBuilt, type ReadModel, type ReadModels } from '../../src/kernel/ports/read-models';
import { mirroredCategory, streamId as idOfStream, type Projection } from '../../src/kernel/projection';
import type { MirrorWriter } from '../../src/kernel/write-path';
import { ALL_PROJECTIONS } from '../all';
import { foldEvents } from './document-changes';
import { MirrorFolds } from './mirror-folds';
import { MirrorsUnderWay } from './mirrors-under-way';
import { collectionSpec } from './projection-collection';
import { StoredVersions } from './stored-versions';

/** Removals that a process remembers, so that none of its own slower commands brings a removed document back. */
const REMOVALS_LIMIT = 10_000;

/** Opens each read model's collection once; a failure to open is not kept. */
class Collections {
  private readonly opened = new Map<string, Promise<Collection>>();

  constructor(private readonly documents: Documents) {}

  of<Body extends JsonObject>(readModel: ReadModel<Body>): Promise<Collection<Body>> {
    const known = this.opened.get(readModel.name);
    const opening = known ?? this.documents.open(collectionSpec(readModel));
    if (!known) {
      this.opened.set(readModel.name, opening);
      opening.catch(() => this.opened.delete(readModel.name));
    }
    return opening as Promise<Collection<never>> as Promise<Collection<Body>>;
  }
}

/**
 * Reads the documents, and for one document of one stream also the stream's events beyond it. Documents of another
 * version than the code's are not read: where the stream is known, its events are folded instead.
 */
export class StoredReadModels implements ReadModels {
  private readonly collections: Collections;
  private readonly versions: StoredVersions;
  private readonly projections: ReadonlyMap<string, Projection>;

  constructor(
    documents: Documents,
    private readonly store: EventStore,
    clock: Clock,
    projections: readonly Projection[] = ALL_PROJECTIONS,
  ) {
    this.collections = new Collections(documents);
    this.versions = new StoredVersions(documents, clock);
    this.projections = new Map(projections.map(projection => [projection.name, projection]));
  }

  async get<Body extends JsonObject>(
    readModel: ReadModel<Body>,
    universes: Universe | readonly Universe[],
    id: string,
  ): Promise<Document<Body> | null> {
    const document = await this.written(readModel, id);
    return this.newestIn(readModel, [universes].flat(), { id, document });
  }

  async stored<Body extends JsonObject>(
    readModel: ReadModel<Body>,
    universes: readonly Universe[],
    id: string,
  ): Promise<Document<Body> | null> {
    const document = await this.written(readModel, id);
    if (document !== null) return isOf(document, universes) ? document : null;
    return this.newestIn(readModel, universes, { id, document });
  }

  async freshen<Body extends JsonObject>(
    readModel: ReadModel<Body>,
    universe: Universe,
    document: Document<Body>,
    streamId: string = document.id,
  ): Promise<Document<Body> | null> {
    const isCurrent = await this.versions.isCurrent(readModel);
    if (!isCurrent && !this.fillingOf(readModel).mirrors) throw new ReadModelBeingBuilt(readModel.name);
    const known = isCurrent ? document : null;
    return this.upToDate(readModel, { id: document.id, document: known }, { universe, streamId });
  }

  fold<Body extends JsonObject>(
    readModel: ReadModel<Body>,
    history: readonly RecordedEvent[],
  ): readonly Document<Body>[] {
    return [...foldEvents(this.fillingOf(readModel), history, () => null).values()].flatMap(({ id, version, body }) =>
      body === null ? [] : { id, version, body },
    );
  }

  /** Null where the stream alone can tell. */
  private async written<Body extends JsonObject>(
    readModel: ReadModel<Body>,
    id: string,
  ): Promise<Document<Body> | null> {
    if (!(await this.versions.isCurrent(readModel))) {
      const { mirrors, key } = this.fillingOf(readModel);
      if (!mirrors || key !== idOfStream) throw new ReadModelBeingBuilt(readModel.name);
      return null;
    }
    return (await this.collections.of(readModel)).get(id);
  }

  /** A document that is written tells its universe; without one, each stream of the id is asked. */
  private async newestIn<Body extends JsonObject>(
    readModel: ReadModel<Body>,
    universes: readonly Universe[],
    known: { readonly id: string; readonly document: Document<Body> | null },
  ): Promise<Document<Body> | null> {
    for (const universe of universes.filter(each => known.document === null || isOf(known.document, [each]))) {
      const told = await this.upToDate(readModel, known, { universe, streamId: known.id });
      if (told !== null) return told;
    }
    return null;
  }

  private async upToDate<Body extends JsonObject>(
    readModel: ReadModel<Body>,
    { id, document }: { readonly id: string; readonly document: Document<Body> | null },
    { universe, streamId }: { readonly universe: Universe; readonly streamId: string },
  ): Promise<Document<Body> | null> {
    const projection = this.fillingOf(readModel);
    const category = mirroredCategory(projection);
    if (category === null) return document;
    const stream = streamName(universe, category, streamId);
    const unread = { from: document ? document.version + 1 : 0 };
    const tail = await this.store.readStream(stream, projection.restates ? NEWEST_EVENT : unread);
    const change = foldEvents(projection, tail, key => (key === id ? document : null)).get(id);
    if (!change) return document;
    return change.body === null ? null : { id, version: change.version, body: change.body };
  }

  async list<Body extends JsonObject>(
    readModel: ReadModel<Body>,
    query: ListQuery,
  ): Promise<readonly Document<Body>[]> {
    if (!(await this.versions.isCurrent(readModel))) throw new ReadModelBeingBuilt(readModel.name);
    const collection = await this.collections.of(readModel);
    return collection.list(query);
  }

  /** A read model's name stands for its documents' type: no two read models share one. */
  private fillingOf<Body extends JsonObject>({ name }: ReadModel<Body>): Projection<Body> {
    const projection = this.projections.get(name);
    invariant(projection, `no projection fills the read model ${name}`);
    return projection as Projection<Body>;
  }
}

/**
 * Whether the document is of one of the universes; each is, where its read model tells no mode. An id of another mode
 * counts as unknown: no reader can forget to ask.
 */
function isOf({ body: { mode } }: Document, universes: readonly Universe[]): boolean {
  return mode === undefined || universes.some(universe => universe === mode);
}

/**
 * Writes the events of a command into the documents that mirror its stream. The documents are folded from the stream's
 * history and guarded by its revision. A failure is logged, and the runner writes the same later; a read by id is right
 * in the meantime.
 */
export function mirrorWriter(
  documents: Documents,
  projections: readonly Projection[],
  log: Log,
  underWay = new MirrorsUnderWay(),
): MirrorWriter {
  const collections = new Collections(documents);
  const folds = new MirrorFolds();
  const removed = new BoundedMap<string, number>(REMOVALS_LIMIT);

  async function write(projection: Projection, stream: string, history: readonly RecordedEvent[]): Promise<void> {
    const collection = await collections.of(projection);
    for (const { id, version, body } of folds.fold(projection, stream, history).values()) {
      const key = `${projection.name}/${id}`;
      if (body !== null) {
        if ((removed.get(key) ?? -1) < version) await collection.putNewer({ id, version, body });
      } else {
        // The removal is noted also where this process has removed the document: a slower command may have put it back
        // since.
        removed.set(key, version);
        await collection.deleteUpTo(id, version);
      }
    }
  }

  async function writeAll(stream: string, history: readonly RecordedEvent[]): Promise<void> {
    const { category } = parseStreamName(stream);
    const mirrors = projections.filter(projection => mirroredCategory(projection) === category);
    const writing = mirrors.map(async projection => {
      try {
        await write(projection, stream, history);
      } catch (error) {
        log.warn({ projection: projection.name, stream, err: error }, 'a mirror was left to the runner');
      }
    });
    await Promise.all(writing);
  }

  return (stream, history) => underWay.during(writeAll(stream, history));
}
