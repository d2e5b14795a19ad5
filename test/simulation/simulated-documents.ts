import type { JsonObject } from '../../src/vocabulary/json';
import type { Collection, CollectionSpec, Document, Documents, ListQuery } from '../../src/kernel/ports/documents';
import { OutcomeUnknown, StoreUnavailable } from '../../src/kernel/ports/event-store';
import { WATCHER_LEASES } from '../../src/watchers/watcher-turn';
import { MemoryDocuments } from '../support/memory-documents';
import type { Prng } from './prng';
import type { Life, Scheduler } from './scheduler';
import type { StoreFaults } from './simulated-store';

export type DocumentsParts = {
  readonly disk: Documents;
  readonly faults: StoreFaults;
  readonly writing: WritingFaults;
  readonly scheduler: Scheduler;
  readonly life: Life;
  readonly prng: Prng;
};

/** Percent of the puts without a read before them that fail while all else goes well. */
export type WritingFaults = { refused: number };

/**
 * The document store as one process reaches it: each call waits for its turn before it acts and before it answers, and
 * may fail.
 */
export class SimulatedDocuments implements Documents {
  private readonly ownLeases = new MemoryDocuments();

  constructor(private readonly parts: DocumentsParts) {}

  async open<Body extends JsonObject>(spec: CollectionSpec): Promise<Collection<Body>> {
    // A lease spares others the work, and no more: here all processes hold it at once.
    if (spec.name === WATCHER_LEASES.name) return this.ownLeases.open<Body>(spec);
    return new SimulatedCollection(await this.parts.disk.open<Body>(spec), this.parts);
  }

  switch(building: string, live: string): Promise<void> {
    return acted(this.parts, () => this.parts.disk.switch(building, live));
  }

  drop(name: string): Promise<void> {
    return acted(this.parts, () => this.parts.disk.drop(name));
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

class SimulatedCollection<Body extends JsonObject> implements Collection<Body> {
  constructor(
    private readonly disk: Collection<Body>,
    private readonly parts: DocumentsParts,
  ) {}

  get(id: string): Promise<Document<Body> | null> {
    return answered(this.parts, () => this.disk.get(id));
  }
  getAll(ids: readonly string[]): Promise<readonly Document<Body>[]> {
    return answered(this.parts, () => this.disk.getAll(ids));
  }
  list(query: ListQuery): Promise<readonly Document<Body>[]> {
    return answered(this.parts, () => this.disk.list(query));
  }
  count(): Promise<number> {
    return answered(this.parts, () => this.disk.count());
  }
  put(document: Document<Body>): Promise<void> {
    return this.written(() => this.disk.put(document));
  }
  putNewer(document: Document<Body>): Promise<boolean> {
    return this.written(() => this.disk.putNewer(document));
  }
  putAllNewer(documents: readonly Document<Body>[]): Promise<void> {
    return this.written(() => this.disk.putAllNewer(documents));
  }
  insert(document: Document<Body>): Promise<boolean> {
    return acted(this.parts, () => this.disk.insert(document));
  }
  insertAll(documents: readonly Document<Body>[]): Promise<readonly string[]> {
    return this.written(() => this.disk.insertAll(documents));
  }
  replace(document: Document<Body>, expectedVersion: number): Promise<boolean> {
    return acted(this.parts, () => this.disk.replace(document, expectedVersion));
  }
  deleteUpTo(id: string, version: number): Promise<void> {
    return acted(this.parts, () => this.disk.deleteUpTo(id, version));
  }
  deleteAt(id: string, expectedVersion: number): Promise<boolean> {
    return acted(this.parts, () => this.disk.deleteAt(id, expectedVersion));
  }

  private written<T>(write: () => Promise<T>): Promise<T> {
    return acted(this.parts, () => {
      if (this.parts.prng.chance(this.parts.writing.refused)) throw new StoreUnavailable('the write is refused');
      return write();
    });
  }
}

async function answered<T>({ scheduler, life, prng, faults }: DocumentsParts, read: () => Promise<T>): Promise<T> {
  await scheduler.turn(life);
  if (prng.chance(faults.unavailable)) throw new StoreUnavailable('the document store is away');
  return read();
}

async function acted<T>(parts: DocumentsParts, write: () => Promise<T>): Promise<T> {
  const { scheduler, life, prng, faults } = parts;
  await scheduler.turn(life);
  if (prng.chance(faults.unavailable)) throw new StoreUnavailable('the document store is away');
  if (prng.chance(faults.answerLost)) {
    if (prng.chance(50)) await write();
    throw new OutcomeUnknown('the answer was lost');
  }
  const answer = await write();
  await scheduler.turn(life);
  return answer;
}
