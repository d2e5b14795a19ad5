import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { collectionSpec } from '../../projections/runner/projection-collection';
import { StoredReadModels } from '../../projections/runner/read-models';
import { sandboxClocksProjection } from '../../projections/sandbox-clocks.projection';
import { DAY_MS, HOUR_MS, isoTime, MINUTE_MS } from '../../src/kernel/clock';
import type { JsonObject } from '../../src/vocabulary/json';
import type { Collection } from '../../src/kernel/ports/documents';
import type { Projection } from '../../src/kernel/projection';
import { EmbeddedDocuments } from '../../src/platform/documents/embedded/embedded-documents';
import { EmbeddedFile } from '../../src/platform/embedded-file/embedded-file';
import { ManualClock } from '../support/manual-clock';
import { MemoryEventStore } from '../support/memory-event-store';
import { NOON } from '../support/payment-fixture';

const LIMIT_MS = 120_000;
const MEMORY_FOLDER = '/dev/shm';
const BATCH = 1_000;
const ROUNDS = 40;
const RATIO_AT_MOST = 3;
const MERCHANTS = 10_000;

export const merchantOf = (index: number): string => `mch_${String(index).padStart(26, '0')}`;

export type Due = { readonly id: string; readonly merchantId?: string; readonly dueMs: number; readonly mode?: string };
type Cost = { readonly queries: number; readonly documents: number };

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
    for (let from = 0; from < documents.length; from += BATCH) {
      await collection.putAllNewer(documents.slice(from, from + BATCH));
    }
  }

  async met(id: string): Promise<void> {
    await (await this.collection()).deleteUpTo(id, Infinity);
  }

  async advance(merchantId: string, byMs: number): Promise<void> {
    this.clock.advance(merchantId, byMs);
    const collection = await this.documents.open(collectionSpec(sandboxClocksProjection));
    const now = this.clock.now();
    const body = { mode: 'test', advanced_at: isoTime(now), now: isoTime(now + this.clock.aheadAt(merchantId)) };
    await collection.put({ id: merchantId, version: (this.version += 1), body });
  }

  private collection(): Promise<Collection<Body>> {
    return this.documents.open<Body>(collectionSpec(this.projection));
  }
}

/** The cost of a round while nothing is due: `quiet`, however much waits. */
export function describeCosts<Body extends JsonObject>(open: () => DueOnDisk<Body>, quiet: Cost): void {
  let stage: DueOnDisk<Body>;
  beforeEach(() => (stage = open()));
  afterEach(() => stage.close());

  const waiting = (at: DueOnDisk<Body>, count: number) =>
    at.wait(
      ...Array.from({ length: count }, (_, index) => {
        return { id: `open ${index}`, merchantId: merchantOf(index % MERCHANTS), dueMs: NOON + DAY_MS + index };
      }),
    );

  it(
    'is the same for 100,000 that wait, of 10,000 merchants, as for 1,000',
    async () => {
      const crowded = open();
      try {
        await waiting(stage, 1_000);
        await waiting(crowded, 100_000);
        const [few, many] = await costsOfRounds(stage, crowded);
        expect(few).toMatchObject(quiet);
        expect(many).toMatchObject(quiet);
        expect(Number(many?.medianMs) / Number(few?.medianMs)).toBeLessThan(RATIO_AT_MOST);
      } finally {
        await crowded.close();
      }
    },
    LIMIT_MS,
  );

  it(
    'has no query for any of 10,000 advanced clocks with nothing due',
    async () => {
      await waiting(stage, MERCHANTS);
      for (let index = 0; index < MERCHANTS; index++) await stage.advance(merchantOf(index), MINUTE_MS);
      stage.clock.timeMs += HOUR_MS;
      expect(await costsOfRounds(stage)).toMatchObject([quiet]);
    },
    LIMIT_MS,
  );
}

/** The stages' rounds alternate: other work of this machine weighs on all alike. */
async function costsOfRounds<Body extends JsonObject>(...stages: readonly DueOnDisk<Body>[]) {
  // The first rounds of a new process look at each clock once.
  for (const each of stages) await each.rounds();
  const measured = stages.map(each => {
    return { each, lists: jest.spyOn(each.readModels, 'list'), times: [] as number[] };
  });
  for (let count = 0; count < ROUNDS; count++) {
    for (const { each, times } of measured) {
      const start = performance.now();
      expect(await each.round()).toStrictEqual([]);
      times.push(performance.now() - start);
    }
  }
  const costs = measured.map(async ({ lists, times }) => {
    const pages = (await Promise.all(lists.mock.results.map(result => result.value))) as readonly unknown[][];
    const [queries, documents] = [pages.length / ROUNDS, pages.flat().length / ROUNDS];
    lists.mockRestore();
    return { queries, documents, medianMs: times.sort((a, b) => a - b)[ROUNDS >> 1] as number };
  });
  return Promise.all(costs);
}
