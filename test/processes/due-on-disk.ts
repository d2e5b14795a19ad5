import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { collectionSpec } from '../../projections/runner/projection-collection';
import { StoredReadModels } from '../../projections/runner/read-models';
import { sandboxClocksProjection } from '../../projections/sandbox-clocks.projection';
import { isoTime } from '../../src/kernel/clock';
import type { JsonObject } from '../../src/vocabulary/json';
import type { Collection, Document } from '../../src/kernel/ports/documents';
import type { Projection } from '../../src/kernel/projection';
import { EmbeddedDocuments } from '../../src/platform/documents/embedded/embedded-documents';
import { EmbeddedFile } from '../../src/platform/embedded-file/embedded-file';
import { ManualClock } from '../support/manual-clock';
import { MemoryEventStore } from '../support/memory-event-store';
import { NOON } from '../support/payment-fixture';

const MEMORY_FOLDER = '/dev/shm';
const BATCH = 1_000;

export const merchantOf = (index: number): string => `mch_${String(index).padStart(26, '0')}`;

export type Due = { readonly id: string; readonly merchantId?: string; readonly dueMs: number; readonly mode?: string };

/** A projection of due deadlines, in documents on disk, and the clocks of merchants by which it goes. */
export abstract class DueOnDisk<Body extends JsonObject> {
  readonly clock = new ManualClock(NOON);
  readonly readModels: StoredReadModels;
  private readonly folder = mkdtempSync(path.join(existsSync(MEMORY_FOLDER) ? MEMORY_FOLDER : tmpdir(), 'quittance-'));
  private readonly file = EmbeddedFile.open(this.folder, { role: 'service' });
  private readonly documents = new EmbeddedDocuments(this.file);
  private version = 0;

  constructor(private readonly projection: Projection<Body>) {
    this.readModels = new StoredReadModels(this.documents, new MemoryEventStore(), this.clock);
  }

  /** One round over the due deadlines; answers those that it found. */
  abstract round(): Promise<readonly string[]>;
  /** Rounds until there is no more to do at once. */
  abstract rounds(): Promise<void>;
  protected abstract bodyOf(due: Due, dueAt: string, wallDueAt: string): Body;

  async close(): Promise<void> {
    await this.documents.close();
    this.file.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Waits from now on, each due at a moment by its merchant's clock. */
  async wait(...all: readonly Due[]): Promise<void> {
    const collection = await this.collection();
    const documents = all.map(due => {
      const { id, merchantId = merchantOf(2), dueMs, mode = 'test' } = due;
      const aheadMs = mode === 'test' ? this.clock.aheadAt(merchantId) : 0;
      const body = this.bodyOf({ id, merchantId, dueMs, mode }, isoTime(dueMs), isoTime(dueMs - aheadMs));
      return { id, version: (this.version += 1), body };
    });
    await putAll(collection, documents);
  }

  async met(id: string): Promise<void> {
    await (await this.collection()).deleteUpTo(id, Infinity);
  }

  advance(merchantId: string, byMs: number): Promise<void> {
    return this.advanceAll([merchantId], byMs);
  }

  async advanceAll(merchantIds: readonly string[], byMs: number): Promise<void> {
    const collection = await this.documents.open(collectionSpec(sandboxClocksProjection));
    const now = this.clock.now();
    const documents = merchantIds.map(id => {
      this.clock.advance(id, byMs);
      const body = { mode: 'test', advanced_at: isoTime(now), now: isoTime(now + this.clock.aheadAt(id)) };
      return { id, version: (this.version += 1), body };
    });
    await putAll(collection, documents);
  }

  private collection(): Promise<Collection<Body>> {
    return this.documents.open<Body>(collectionSpec(this.projection));
  }
}

async function putAll<Body extends JsonObject>(
  collection: Collection<Body>,
  documents: readonly Document<Body>[],
): Promise<void> {
  for (let from = 0; from < documents.length; from += BATCH) {
    await collection.putAllNewer(documents.slice(from, from + BATCH));
  }
}
