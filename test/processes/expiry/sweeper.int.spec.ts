import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  clockOf,
  deadlinesProjection,
  type DeadlineDocument,
} from '../../../projections/deadlines/deadlines.projection';
import { collectionSpec } from '../../../projections/runner/projection-collection';
import { StoredReadModels } from '../../../projections/runner/read-models';
import { sandboxClocksProjection } from '../../../projections/sandbox-clocks/sandbox-clocks.projection';
import { DAY_MS, HOUR_MS, isoTime, MINUTE_MS } from '../../../src/kernel/clock';
import type { Collection } from '../../../src/kernel/ports/documents';
import type { WritePath } from '../../../src/kernel/write-path';
import { EmbeddedDocuments } from '../../../src/platform/documents/embedded/embedded-documents';
import { EmbeddedFile } from '../../../src/platform/embedded-file/embedded-file';
import { Sweeper } from '../../../src/processes/expiry/sweeper';
import { ManualClock } from '../../support/manual-clock';
import { MemoryEventStore } from '../../support/memory-event-store';
import { CountingEntropy, NOON, RecordingLog } from '../../support/payment-fixture';

const LIMIT_MS = 120_000;
const MEMORY_FOLDER = '/dev/shm';
const BATCH = 1_000;

const merchantOf = (index: number): string => `mch_${String(index).padStart(26, '0')}`;

/** A sweeper of quotes over documents on disk; what it expires is noted and, unless that fails, met. */
class Stage {
  readonly clock = new ManualClock(NOON);
  readonly attempted: string[] = [];
  readonly broken = new Set<string>();
  readonly sweeper: Sweeper;
  readonly readModels: StoredReadModels;
  private readonly folder = mkdtempSync(path.join(existsSync(MEMORY_FOLDER) ? MEMORY_FOLDER : tmpdir(), 'quittance-'));
  private readonly file = EmbeddedFile.open(this.folder, { role: 'service' });
  private readonly documents = new EmbeddedDocuments(this.file);
  private version = 0;

  private constructor() {
    const { clock } = this;
    const store = new MemoryEventStore();
    const load = () => Promise.resolve({ state: { status: 'awaiting_payment', quote: null } });
    const execute = (_: unknown, id: string) => this.attempt(id);
    this.readModels = new StoredReadModels(this.documents, store);
    this.sweeper = new Sweeper({
      modes: ['test', 'live'],
      readModels: this.readModels,
      writes: { load, execute } as unknown as WritePath,
      gaplessUntil: () => Promise.resolve(clock.now() + 1),
      isHeld: () => Promise.resolve(false),
      clock,
      entropy: new CountingEntropy(),
      log: new RecordingLog(),
    });
  }

  static open(): Stage {
    return new Stage();
  }

  async close(): Promise<void> {
    await this.documents.close();
    this.file.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Quotes that wait, each with its merchant and the moment by that merchant's clock. */
  async wait(...deadlines: readonly { id: string; merchantId: string; dueMs: number; mode?: string }[]): Promise<void> {
    const collection = await this.deadlines();
    const documents = deadlines.map(({ id, merchantId, dueMs, mode = 'test' }) => {
      const aheadMs = mode === 'test' ? this.clock.aheadAt(merchantId) : 0;
      const body: DeadlineDocument = {
        clock: mode === 'test' ? clockOf(merchantId) : mode,
        kind: 'quote',
        due_at: isoTime(dueMs),
        wall_due_at: isoTime(dueMs - aheadMs),
        network_id: 'base',
        mode,
        subject: id,
        merchant_id: merchantId,
      };
      return { id, version: (this.version += 1), body };
    });
    for (let from = 0; from < documents.length; from += BATCH) {
      await collection.putAllNewer(documents.slice(from, from + BATCH));
    }
  }

  async advance(merchantId: string, byMs: number): Promise<void> {
    this.clock.advance(merchantId, byMs);
    const collection = await this.documents.open(collectionSpec(sandboxClocksProjection));
    const now = this.clock.now();
    const body = { mode: 'test', advanced_at: isoTime(now), now: isoTime(now + this.clock.aheadAt(merchantId)) };
    await collection.put({ id: merchantId, version: (this.version += 1), body });
  }

  /** What one round attempts. */
  async round(): Promise<readonly string[]> {
    this.attempted.length = 0;
    await this.sweeper.sweep('quote');
    return [...this.attempted].sort();
  }

  private deadlines(): Promise<Collection<DeadlineDocument>> {
    return this.documents.open(collectionSpec(deadlinesProjection)) as Promise<Collection<never>> as Promise<
      Collection<DeadlineDocument>
    >;
  }

  private async attempt(id: string): Promise<void> {
    this.attempted.push(id);
    if (this.broken.has(id)) throw new Error(`${id} is broken`);
    await (await this.deadlines()).deleteUpTo(id, Infinity);
  }
}

let stage: Stage;
beforeEach(() => {
  stage = Stage.open();
});
afterEach(() => stage.close());

describe('a sweep', () => {
  const [ahead, other] = [merchantOf(1), merchantOf(2)];

  it('meets what is due by the wall where clocks were not advanced', async () => {
    await stage.wait(
      { id: 'due', merchantId: other, dueMs: NOON },
      { id: 'not yet', merchantId: other, dueMs: NOON + 1 },
      { id: 'live', merchantId: other, dueMs: NOON, mode: 'live' },
    );
    expect(await stage.round()).toStrictEqual(['due', 'live']);
    stage.clock.timeMs += 1;
    expect(await stage.round()).toStrictEqual(['not yet']);
  });

  it('meets what an advance has made due, of that clock alone and in test mode alone', async () => {
    await stage.wait(
      { id: 'due', merchantId: ahead, dueMs: NOON + HOUR_MS },
      { id: 'later', merchantId: ahead, dueMs: NOON + HOUR_MS + MINUTE_MS },
      { id: 'of another', merchantId: other, dueMs: NOON + HOUR_MS },
      { id: 'live', merchantId: ahead, dueMs: NOON + HOUR_MS, mode: 'live' },
    );
    expect(await stage.round()).toStrictEqual([]);
    await stage.advance(ahead, HOUR_MS);
    expect(await stage.round()).toStrictEqual(['due']);
    expect(await stage.round()).toStrictEqual([]);
  });

  it('goes on by an advanced clock as it ticks', async () => {
    await stage.wait({ id: 'old', merchantId: ahead, dueMs: NOON + HOUR_MS + MINUTE_MS });
    await stage.advance(ahead, HOUR_MS);
    await stage.wait({ id: 'new', merchantId: ahead, dueMs: NOON + HOUR_MS + 2 * MINUTE_MS });
    expect(await stage.round()).toStrictEqual([]);
    stage.clock.timeMs += MINUTE_MS - 1;
    expect(await stage.round()).toStrictEqual([]);
    stage.clock.timeMs += 1;
    expect(await stage.round()).toStrictEqual(['old']);
    stage.clock.timeMs += MINUTE_MS;
    expect(await stage.round()).toStrictEqual(['new']);
  });

  it('sees every further advance, also of another instance and within the same moment', async () => {
    await stage.wait(
      { id: 'first', merchantId: ahead, dueMs: NOON + HOUR_MS },
      { id: 'second', merchantId: ahead, dueMs: NOON + 2 * HOUR_MS },
    );
    await stage.advance(ahead, HOUR_MS);
    expect(await stage.round()).toStrictEqual(['first']);
    await stage.advance(ahead, HOUR_MS);
    expect(await stage.round()).toStrictEqual(['second']);
  });

  it('finds after a restart what was advanced long before', async () => {
    await stage.wait({ id: 'old', merchantId: ahead, dueMs: NOON + 10 * DAY_MS });
    await stage.advance(ahead, 5 * DAY_MS);
    stage.clock.timeMs += 5 * DAY_MS;
    expect(await stage.round()).toStrictEqual(['old']);
  });

  it('of one merchant does all that is due, and nothing of others', async () => {
    const many = Array.from({ length: 450 }, (_, index) => `many ${index}`);
    await stage.wait(...many.map(id => ({ id, merchantId: ahead, dueMs: NOON + HOUR_MS })));
    await stage.wait({ id: 'of another', merchantId: other, dueMs: NOON });
    await stage.advance(ahead, HOUR_MS);
    await stage.sweeper.sweepMerchant(ahead);
    expect([...stage.attempted].sort()).toStrictEqual([...many].sort());
  });

  it('comes to the others where many cannot be met', async () => {
    const stuck = Array.from({ length: 450 }, (_, index) => `stuck ${index}`);
    for (const id of stuck) stage.broken.add(id);
    await stage.wait(...stuck.map((id, index) => ({ id, merchantId: other, dueMs: NOON - 1_000 + index })));
    await stage.wait({ id: 'well', merchantId: other, dueMs: NOON });
    const attempted = [await stage.round(), await stage.round(), await stage.round()].flat();
    expect(attempted).toContain('well');
  });

  it('meets a deadline once where two sweeps come to it together', async () => {
    await stage.wait({ id: 'due', merchantId: ahead, dueMs: NOON });
    await stage.advance(ahead, HOUR_MS);
    await Promise.all([stage.sweeper.sweep('quote'), stage.sweeper.sweepMerchant(ahead)]);
    expect(stage.attempted).toStrictEqual(['due']);
  });
});

describe('what a round costs', () => {
  /** One for each mode and network, and one for the advanced clocks. */
  const QUIET_ROUND = { queries: 7, documents: 0 };
  const ROUNDS = 40;
  const RATIO_AT_MOST = 3;
  const MERCHANTS = 10_000;

  type Cost = { readonly queries: number; readonly documents: number; readonly medianMs: number };

  /** Of each stage, a round of one after a round of the other: what else this machine does meanwhile weighs on all alike. */
  async function costsOfRounds(...stages: readonly Stage[]): Promise<readonly Cost[]> {
    for (const each of stages) await each.round();
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

  const open = (at: Stage, count: number) =>
    at.wait(
      ...Array.from({ length: count }, (_, index) => {
        return { id: `open ${index}`, merchantId: merchantOf(index % MERCHANTS), dueMs: NOON + DAY_MS + index };
      }),
    );

  it(
    'is the same for 100,000 open deadlines of 10,000 merchants as for 1,000',
    async () => {
      const crowded = Stage.open();
      try {
        await open(stage, 1_000);
        await open(crowded, 100_000);
        const [few, many] = await costsOfRounds(stage, crowded);
        expect(few).toMatchObject(QUIET_ROUND);
        expect(many).toMatchObject(QUIET_ROUND);
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
      await open(stage, MERCHANTS);
      for (let index = 0; index < MERCHANTS; index++) await stage.advance(merchantOf(index), MINUTE_MS);
      stage.clock.timeMs += HOUR_MS;
      // The first rounds of a new process look at each clock once.
      while (await stage.sweeper.sweep('quote'));
      expect(await costsOfRounds(stage)).toMatchObject([QUIET_ROUND]);
    },
    LIMIT_MS,
  );
});
