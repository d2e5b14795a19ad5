import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { clockOf } from '../../../../projections/deadlines/deadlines.projection';
import {
  dueDeliveriesProjection,
  type DueDeliveryDocument,
} from '../../../../projections/due-deliveries/due-deliveries.projection';
import { collectionSpec } from '../../../../projections/runner/projection-collection';
import { StoredReadModels } from '../../../../projections/runner/read-models';
import { sandboxClocksProjection } from '../../../../projections/sandbox-clocks/sandbox-clocks.projection';
import { DAY_MS, HOUR_MS, isoTime, MINUTE_MS, SECOND_MS } from '../../../../src/kernel/clock';
import type { Mode } from '../../../../src/kernel/event';
import type { Collection } from '../../../../src/kernel/ports/documents';
import { EmbeddedDocuments } from '../../../../src/platform/documents/embedded/embedded-documents';
import { EmbeddedFile } from '../../../../src/platform/embedded-file/embedded-file';
import { DueList } from '../../../../src/processes/webhook-delivery/dispatch/due-list';
import { ManualClock } from '../../../support/manual-clock';
import { MemoryEventStore } from '../../../support/memory-event-store';
import { NOON } from '../../../support/payment-fixture';

const LIMIT_MS = 120_000;
const MEMORY_FOLDER = '/dev/shm';
const BATCH = 1_000;
const PAGE = 200;
const PAGES_A_LOOK = 20;
/** The dispatcher's pauses between two looks: as a rule, and where the first has left something. */
const [POLL_MS, BREATH_MS] = [SECOND_MS / 2, 1];

const merchantOf = (index: number): string => `mch_${String(index).padStart(26, '0')}`;

type Waiting = { readonly id: string; readonly merchantId?: string; readonly dueMs: number; readonly mode?: Mode };

/** The list of one mode over documents on disk. */
class Stage {
  readonly clock = new ManualClock(NOON);
  readonly readModels: StoredReadModels;
  private readonly folder = mkdtempSync(path.join(existsSync(MEMORY_FOLDER) ? MEMORY_FOLDER : tmpdir(), 'quittance-'));
  private readonly file = EmbeddedFile.open(this.folder, { role: 'service' });
  private readonly documents = new EmbeddedDocuments(this.file);
  list: DueList;
  isMore = false;
  private version = 0;

  constructor(private readonly mode: Mode = 'test') {
    this.readModels = new StoredReadModels(this.documents, new MemoryEventStore());
    this.list = new DueList(mode, this);
  }

  restart(): void {
    this.list = new DueList(this.mode, this);
  }

  async close(): Promise<void> {
    await this.documents.close();
    this.file.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  async wait(...deliveries: readonly Waiting[]): Promise<void> {
    const collection = await this.collection();
    const documents = deliveries.map(({ id, merchantId = merchantOf(2), dueMs, mode = this.mode }) => {
      const aheadMs = mode === 'test' ? this.clock.aheadAt(merchantId) : 0;
      const due = { at: isoTime(dueMs), wall: isoTime(dueMs - aheadMs) };
      const body: DueDeliveryDocument = {
        mode,
        merchant_id: merchantId,
        endpoint: `we_${merchantId}`,
        clock: mode === 'test' ? clockOf(merchantId) : mode,
        due_at: due.at,
        wall_due_at: due.wall,
        schedule: due,
        manual: null,
      };
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

  /** What one look finds, once each; with `meet` it is met at once. */
  async look(meet = false): Promise<readonly string[]> {
    const found = new Set<string>();
    this.isMore = await this.list.look(({ id }) => void found.add(id));
    if (meet) for (const id of found) await this.met(id);
    return [...found].sort();
  }

  private collection(): Promise<Collection<DueDeliveryDocument>> {
    return this.documents.open(collectionSpec(dueDeliveriesProjection)) as Promise<Collection<never>> as Promise<
      Collection<DueDeliveryDocument>
    >;
  }
}

let stage: Stage;
beforeEach(() => {
  stage = new Stage();
});
afterEach(() => stage.close());

const numbered = (count: number, dueMs: number, name = 'old'): readonly Waiting[] =>
  Array.from({ length: count }, (_, index) => ({
    id: `${name} ${String(index).padStart(6, '0')}`,
    dueMs: dueMs + index,
  }));

describe('a look at what is due', () => {
  it('finds what has fallen due in its mode, and finds it again while it is there', async () => {
    await stage.wait({ id: 'due', dueMs: NOON }, { id: 'not yet', dueMs: NOON + 1 });
    await stage.wait({ id: 'live', dueMs: NOON, mode: 'live' });
    expect([await stage.look(), await stage.look(true)]).toStrictEqual([['due'], ['due']]);
    expect(await stage.look()).toStrictEqual([]);
    stage.clock.timeMs += 1;
    expect(await stage.look()).toStrictEqual(['not yet']);
  });

  it('finds at once what falls due behind very many that wait for their turn', async () => {
    await stage.wait(...numbered(3 * PAGE * PAGES_A_LOOK, NOON - DAY_MS));
    for (await stage.look(); stage.isMore; await stage.look());
    stage.clock.timeMs += MINUTE_MS;
    await stage.wait({ id: 'new', dueMs: stage.clock.timeMs });
    expect(await stage.look()).toContain('new');
    expect(stage.isMore).toBe(false);
  });

  it('finds what came late into the list', async () => {
    await stage.wait(...numbered(2 * PAGE, NOON - DAY_MS));
    await stage.look();
    stage.clock.timeMs += 3 * SECOND_MS;
    await stage.wait({ id: 'late', dueMs: NOON - SECOND_MS });
    expect(await stage.look()).toContain('late');
  });

  it('comes round to what came later still', async () => {
    await stage.wait(...numbered(2 * PAGE, NOON - DAY_MS));
    await stage.look();
    stage.clock.timeMs += HOUR_MS;
    await stage.look();
    await stage.wait({ id: 'very late', dueMs: NOON - HOUR_MS });
    const looks = [await stage.look(), await stage.look(), await stage.look()];
    expect(looks.flat()).toContain('very late');
  });

  it('finds all that waits after a restart', async () => {
    const all = numbered(PAGE * PAGES_A_LOOK + 10, NOON - DAY_MS);
    await stage.wait(...all);
    await stage.look();
    stage.restart();
    const found = new Set(await stage.look());
    expect(stage.isMore).toBe(true);
    for (const id of await stage.look()) found.add(id);
    expect(found.size).toBe(all.length);
    expect(stage.isMore).toBe(false);
  });
});

describe('an advanced clock', () => {
  const [ahead, other] = [merchantOf(1), merchantOf(2)];

  it('makes due what it has passed, of its merchant alone', async () => {
    await stage.wait(
      { id: 'due', merchantId: ahead, dueMs: NOON + HOUR_MS },
      { id: 'later', merchantId: ahead, dueMs: NOON + HOUR_MS + MINUTE_MS },
      { id: 'of another', merchantId: other, dueMs: NOON + HOUR_MS },
    );
    expect(await stage.look(true)).toStrictEqual([]);
    await stage.advance(ahead, HOUR_MS);
    expect(await stage.look(true)).toStrictEqual(['due']);
    expect(await stage.look(true)).toStrictEqual([]);
    stage.clock.timeMs += MINUTE_MS;
    expect(await stage.look(true)).toStrictEqual(['later']);
  });

  it('is followed after a restart, and at each further advance', async () => {
    await stage.wait(
      { id: 'old', merchantId: ahead, dueMs: NOON + 10 * DAY_MS },
      { id: 'next', merchantId: ahead, dueMs: NOON + 11 * DAY_MS },
    );
    await stage.advance(ahead, 5 * DAY_MS);
    stage.clock.timeMs += 5 * DAY_MS;
    stage.restart();
    expect(await stage.look(true)).toStrictEqual(['old']);
    await stage.advance(ahead, DAY_MS);
    expect(await stage.look(true)).toStrictEqual(['next']);
  });

  it('is asked again at each further poll while it has anything due', async () => {
    await stage.wait({ id: 'due', merchantId: ahead, dueMs: NOON + HOUR_MS });
    await stage.advance(ahead, HOUR_MS);
    for (let polls = 0; polls < 3; polls++) {
      expect(await stage.look(polls === 2)).toStrictEqual(['due']);
      stage.clock.timeMs += POLL_MS;
    }
    expect((await stage.list.ofClock(ahead)).map(({ id }) => id)).toStrictEqual([]);
  });

  it('comes round to all that is due by it, though the first of them cannot be sent', async () => {
    const stuck = numbered(2 * PAGE + 1, NOON + HOUR_MS).map(delivery => ({ ...delivery, merchantId: ahead }));
    await stage.wait(...stuck);
    await stage.advance(ahead, HOUR_MS + MINUTE_MS);
    const found = new Set<string>();
    for (let polls = 0; polls < 3; polls++) {
      for (const id of await stage.look()) found.add(id);
      stage.clock.timeMs += POLL_MS;
    }
    expect(found.size).toBe(stuck.length);
    expect(await stage.look()).toContain(stuck[0]?.id);
  });
});

describe('advanced clocks with something due at receivers that hang', () => {
  const CLOCKS = 2 * PAGE + 1;
  const POLLS = 4;
  /** By poll: what is new, a page of all, the clocks that were advanced, and a page of each clock that is asked. */
  const READS_AT_MOST = 3 + PAGE;

  beforeEach(async () => {
    for (let index = 1; index <= CLOCKS; index++) {
      await stage.wait({ id: `due ${index}`, merchantId: merchantOf(index), dueMs: NOON + HOUR_MS });
      await stage.advance(merchantOf(index), HOUR_MS);
    }
  });

  /** As the dispatcher looks for so many polls. */
  async function looked(polls: number): Promise<ReadonlySet<string>> {
    const found = new Set<string>();
    for (const endMs = stage.clock.timeMs + polls * POLL_MS; stage.clock.timeMs < endMs;) {
      for (const id of await stage.look()) found.add(id);
      stage.clock.timeMs += stage.isMore ? BREATH_MS : POLL_MS;
    }
    return found;
  }

  it('are asked no more often than the polls allow', async () => {
    const lists = jest.spyOn(stage.readModels, 'list');
    await looked(POLLS);
    expect(lists.mock.calls.length).toBeLessThanOrEqual(POLLS * READS_AT_MOST);
    lists.mockRestore();
  });

  it('have their turns', async () => {
    expect((await looked(POLLS)).size).toBe(CLOCKS);
  });
});

describe('what a look costs', () => {
  const LOOKS = 40;
  const RATIO_AT_MOST = 3;
  const MERCHANTS = 10_000;
  /** What is new, a page of all, and the advanced clocks. */
  const QUIET_LOOK = { queries: 3, documents: 0 };

  async function costsOfLooks(...stages: readonly Stage[]) {
    for (const each of stages) for (await each.look(); each.isMore; await each.look());
    const measured = stages.map(each => {
      return { each, lists: jest.spyOn(each.readModels, 'list'), times: [] as number[] };
    });
    for (let count = 0; count < LOOKS; count++) {
      for (const { each, times } of measured) {
        const start = performance.now();
        expect(await each.look()).toStrictEqual([]);
        times.push(performance.now() - start);
      }
    }
    const costs = measured.map(async ({ lists, times }) => {
      const pages = (await Promise.all(lists.mock.results.map(result => result.value))) as readonly unknown[][];
      const cost = { queries: pages.length / LOOKS, documents: pages.flat().length / LOOKS };
      lists.mockRestore();
      return { ...cost, medianMs: times.sort((a, b) => a - b)[LOOKS >> 1] as number };
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
    'is the same for 100,000 open deliveries of 10,000 merchants as for 1,000',
    async () => {
      const crowded = new Stage();
      try {
        await open(stage, 1_000);
        await open(crowded, 100_000);
        const [few, many] = await costsOfLooks(stage, crowded);
        expect(few).toMatchObject(QUIET_LOOK);
        expect(many).toMatchObject(QUIET_LOOK);
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
      expect(await costsOfLooks(stage)).toMatchObject([QUIET_LOOK]);
    },
    LIMIT_MS,
  );
});
