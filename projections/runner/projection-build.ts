import { parseIsoTime, type Clock } from '../../src/kernel/clock';
import type { RecordedEvent } from '../../src/kernel/event';
import type { JsonObject } from '../../src/vocabulary/json';
import { laterPosition, type LogPosition } from '../../src/kernel/log-position';
import type { Collection, Document, Documents } from '../../src/kernel/ports/documents';
import { START_OF_LOG, type EventStore } from '../../src/kernel/ports/event-store';
import type { DocumentChange, Projection } from '../../src/kernel/projection';
import { BuildLock } from './build-lock';
import { changedIds, feeding, foldEvents, writeChanges } from './document-changes';
import { scannableSpec } from './projection-collection';
import { RestartTrail } from './restart-trail';

/** Changed documents that wait for a write: later events of the same documents then cost no further write. */
const UNWRITTEN_LIMIT = 4_000;
/** Documents kept in memory, so that a document's next event need not read it. */
const KEPT_LIMIT = 20_000;

/** The purpose of a build that takes the live collection's place. */
export const BUILDING = 'building';

export type BuildParts<Body extends JsonObject> = {
  readonly store: EventStore;
  readonly documents: Documents;
  readonly projection: Projection<Body>;
  readonly clock: Clock;
  /** Called after each batch. `head` is the log's last position, read now and then. */
  readonly onProgress?: (progress: BuildProgress) => void;
  readonly signal?: AbortSignal;
};
export type BuildProgress = {
  readonly position: LogPosition;
  readonly head: LogPosition;
  readonly events: number;
  /** The time of the last event that was folded; null before the first. */
  readonly recordedAt: string | null;
};

type Extent = {
  /** The log ends before its first event that was recorded later than this moment, in milliseconds. */
  readonly asOfMs?: number;
};

type Kept<Body extends JsonObject> = { document: DocumentChange<Body>; isWritten: boolean; isStored: boolean };

/** A projection folded from the log's start into a collection aside, in batched writes, by one builder alone. */
export class ProjectionBuild<Body extends JsonObject> {
  position = START_OF_LOG;
  events = 0;
  /** The position of the last event that was folded. */
  lastEventPosition = START_OF_LOG;
  private recordedAt: string | null = null;
  private readonly trail = new RestartTrail(START_OF_LOG);
  private readonly kept = new Map<string, Kept<Body>>();
  private unwritten = 0;
  private hasForgotten = false;

  private constructor(
    private readonly parts: BuildParts<Body>,
    private readonly name: string,
    readonly collection: Collection<Body>,
    private readonly lock: BuildLock,
  ) {}

  /** The collection that a killed builder left behind is dropped first. Throws BuildUnderWay. */
  static async begin<Body extends JsonObject>(
    parts: BuildParts<Body>,
    purpose: string,
  ): Promise<ProjectionBuild<Body>> {
    const name = collectionAside(parts.projection, purpose);
    const lock = await BuildLock.take(parts.documents, parts.clock, name);
    await parts.documents.drop(name);
    const collection = await parts.documents.open<Body>(scannableSpec(parts.projection, name));
    return new ProjectionBuild(parts, name, collection, lock);
  }

  /**
   * Folds and writes the log's present events, within `extent`; answers their number. Throws PoisonEvent,
   * BuildUnderWay, or the signal's reason.
   */
  async catchUp(extent: Extent = {}): Promise<number> {
    const { store, projection, signal: stopped } = this.parts;
    const { asOfMs } = extent;
    const isBeyond = (event: RecordedEvent): boolean =>
      asOfMs !== undefined && parseIsoTime(event.metadata.recorded_at) > asOfMs;
    const eventsBefore = this.events;
    const leaving = new AbortController();
    const signal = stopped ? AbortSignal.any([stopped, leaving.signal]) : leaving.signal;
    const { categories } = projection;
    const head = await store.lastPosition();
    if (head > this.position) {
      for await (const batch of store.subscribe({ categories }, this.position, signal)) {
        const end = batch.events.findIndex(isBeyond);
        const events = end < 0 ? batch.events : batch.events.slice(0, end);
        await this.add(events);
        this.position = batch.position;
        this.trail.took(events);
        await this.lock.keep(this.reached);
        this.parts.onProgress?.({
          position: this.position,
          head: laterPosition(head, this.position),
          events: this.events,
          recordedAt: this.recordedAt,
        });
        if (end >= 0 || batch.live || batch.position >= head) break;
      }
      leaving.abort();
      stopped?.throwIfAborted();
    }
    await this.write();
    return this.events - eventsBefore;
  }

  private get reached() {
    return { position: this.position, reached_at: this.recordedAt };
  }

  get restartFrom(): LogPosition {
    return this.trail.restartFrom;
  }

  async get(id: string): Promise<Document<Body> | null> {
    const kept = this.kept.get(id);
    return kept ? present(kept.document) : this.collection.get(id);
  }

  /** The built collection takes the live one's place. Throws BuildUnderWay when this builder counts as dead. */
  async switchTo(live: string, around: (perform: () => Promise<void>) => Promise<void>): Promise<void> {
    await this.lock.confirm(this.reached);
    await around(() => this.parts.documents.switch(this.name, live));
    await this.lock.release();
  }

  async drop(): Promise<void> {
    await this.parts.documents.drop(this.name);
    await this.lock.release();
  }

  private async add(batch: readonly RecordedEvent[]): Promise<void> {
    const { projection } = this.parts;
    const events = feeding(projection, batch);
    await this.readMissing(events);
    const changes = foldEvents(projection, events, id => present(this.kept.get(id)?.document));
    for (const [id, document] of changes) {
      const before = this.kept.get(id);
      if (before?.isWritten ?? true) this.unwritten++;
      this.kept.delete(id);
      this.kept.set(id, { document, isWritten: false, isStored: before?.isStored ?? false });
    }
    this.events += events.length;
    const last = events.at(-1);
    if (last) {
      this.lastEventPosition = last.position;
      this.recordedAt = last.metadata.recorded_at;
    }
    if (this.unwritten >= UNWRITTEN_LIMIT) await this.write();
  }

  /**
   * While nothing was forgotten, a document that is not kept does not exist. Before its stream's first event a mirror's
   * document does not exist either.
   */
  private async readMissing(events: readonly RecordedEvent[]): Promise<void> {
    if (!this.hasForgotten) return;
    const { projection } = this.parts;
    const known = projection.mirrors ? events.filter(({ revision }) => revision > 0) : events;
    const missing = [...changedIds(projection, known)].filter(id => !this.kept.has(id));
    const read = async (id: string): Promise<void> => {
      const document = await this.collection.get(id);
      if (document) this.kept.set(id, { document, isWritten: true, isStored: true });
    };
    await Promise.all(missing.map(read));
  }

  private async write(): Promise<void> {
    const unwritten = [...this.kept.values()].filter(({ isWritten }) => !isWritten);
    const changes = unwritten.filter(({ document, isStored }) => document.body !== null || isStored);
    await writeChanges(
      this.collection,
      changes.map(({ document }) => document),
    );
    for (const kept of unwritten) {
      kept.isWritten = true;
      kept.isStored = kept.document.body !== null;
      // No later write compares with a removed document's version.
      if (kept.document.body === null) this.kept.delete(kept.document.id);
    }
    this.unwritten = 0;
    this.forgetOldest();
  }

  private forgetOldest(): void {
    if (this.kept.size <= KEPT_LIMIT) return;
    this.hasForgotten = true;
    for (const id of this.kept.keys()) {
      if (this.kept.size <= KEPT_LIMIT / 2) return;
      this.kept.delete(id);
    }
  }
}

function present<Body extends JsonObject>(change: DocumentChange<Body> | undefined): Document<Body> | null {
  return change && change.body !== null ? { ...change, body: change.body } : null;
}

/** The collection into which a rebuild of the projection folds. */
export function buildingName(projection: Pick<Projection, 'name'>): string {
  return collectionAside(projection, BUILDING);
}

function collectionAside({ name }: Pick<Projection, 'name'>, purpose: string): string {
  return `${name}__${purpose}`;
}
