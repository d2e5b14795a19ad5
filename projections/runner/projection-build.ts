import { parseIsoTime, type Clock } from '../../src/kernel/clock';
import type { RecordedEvent } from '../../src/kernel/event';
import type { JsonObject } from '../../src/kernel/json';
import type { Collection, Document, Documents } from '../../src/kernel/ports/documents';
import { START_OF_LOG, type EventStore } from '../../src/kernel/ports/event-store';
import type { DocumentChange, Projection } from '../../src/kernel/projection';
import { BuildLock } from './build-lock';
import { changedIds, feeding, foldEvents, writeChanges } from './document-changes';
import { scannableSpec } from './projection-collection';

/** Changed documents that wait for a write: later events of the same documents then cost nothing more. */
const UNWRITTEN_LIMIT = 4_000;
/** Documents kept in memory, so that a document's next event need not read it. */
const KEPT_LIMIT = 20_000;

export type BuildParts<Body extends JsonObject> = {
  readonly store: EventStore;
  readonly documents: Documents;
  readonly projection: Projection<Body>;
  readonly clock: Clock;
  /** Told after each batch. `head` is the log's last position, read now and then. */
  readonly onProgress?: (progress: BuildProgress) => void;
  readonly signal?: AbortSignal;
};
export type BuildProgress = { readonly position: number; readonly head: number; readonly events: number };

export type Extent = {
  /** Events behind this position are left for later. */
  readonly to?: number;
  /** The log ends before its first event that was recorded later than this moment, in milliseconds. */
  readonly asOfMs?: number;
};

type Kept<Body extends JsonObject> = { document: DocumentChange<Body>; isWritten: boolean; isStored: boolean };

/** A projection folded from the log's start into a collection aside, in batched writes, by one builder alone. */
export class ProjectionBuild<Body extends JsonObject> {
  position = START_OF_LOG;
  events = 0;
  /** Of the last event that was folded. */
  lastEventPosition = START_OF_LOG;
  private readonly kept = new Map<string, Kept<Body>>();
  private unwritten = 0;
  private hasForgotten = false;

  private constructor(
    private readonly parts: BuildParts<Body>,
    private readonly name: string,
    readonly collection: Collection<Body>,
    private readonly lock: BuildLock,
  ) {}

  /** What a killed builder left behind is dropped first. Throws BuildUnderWay. */
  static async begin<Body extends JsonObject>(
    parts: BuildParts<Body>,
    purpose: string,
  ): Promise<ProjectionBuild<Body>> {
    const name = `${parts.projection.name}__${purpose}`;
    const lock = await BuildLock.take(parts.documents, parts.clock, name);
    await parts.documents.drop(name);
    const collection = await parts.documents.open<Body>(scannableSpec(parts.projection, name));
    return new ProjectionBuild(parts, name, collection, lock);
  }

  /**
   * Folds and writes what the log holds now, as far as `extent` goes; answers how many events that were. Throws PoisonEvent,
   * BuildUnderWay, or the signal's reason.
   */
  async catchUp(extent: Extent = {}): Promise<number> {
    const { store, projection, signal: stopped } = this.parts;
    const { to = Number.MAX_SAFE_INTEGER, asOfMs } = extent;
    const isBeyond = (event: RecordedEvent): boolean =>
      event.position > to || (asOfMs !== undefined && parseIsoTime(event.metadata.recorded_at) > asOfMs);
    const eventsBefore = this.events;
    const leaving = new AbortController();
    const signal = stopped ? AbortSignal.any([stopped, leaving.signal]) : leaving.signal;
    const types = Object.keys(projection.on);
    const head = this.position < to ? await store.lastPosition() : START_OF_LOG;
    if (head > this.position) {
      for await (const batch of store.subscribe({ types }, this.position, signal)) {
        const end = batch.events.findIndex(isBeyond);
        await this.add(end < 0 ? batch.events : batch.events.slice(0, end));
        this.position = Math.min(batch.position, to);
        await this.lock.keep(this.position);
        this.parts.onProgress?.({
          position: this.position,
          head: Math.max(head, this.position),
          events: this.events,
        });
        if (end >= 0 || batch.live || batch.position >= Math.min(to, head)) break;
      }
      leaving.abort();
      stopped?.throwIfAborted();
    }
    await this.write();
    return this.events - eventsBefore;
  }

  async get(id: string): Promise<Document<Body> | null> {
    const kept = this.kept.get(id);
    return kept ? present(kept.document) : this.collection.get(id);
  }

  /** The built collection takes the live one's place. Throws BuildUnderWay when this builder was taken for dead. */
  async switchTo(live: string, around: (perform: () => Promise<void>) => Promise<void>): Promise<void> {
    await this.lock.confirm(this.position);
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
    this.lastEventPosition = events.at(-1)?.position ?? this.lastEventPosition;
    if (this.unwritten >= UNWRITTEN_LIMIT) await this.write();
  }

  /** While nothing was forgotten, what is not kept is not there; nor is a mirror's document before its stream's first event. */
  private async readMissing(events: readonly RecordedEvent[]): Promise<void> {
    if (!this.hasForgotten) return;
    const { projection } = this.parts;
    const known = projection.mirrors === null ? events : events.filter(({ revision }) => revision > 0);
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
      // A removed document's version is no longer anybody's to compare with.
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
