import { DatabaseSync } from '@photostructure/sqlite';
import path from 'node:path';
import type { ListQuery } from '../../src/kernel/ports/documents';
import type { Projection } from '../../src/kernel/projection';
import { pageQuery } from '../../src/platform/documents/embedded/list-query';
import { EMBEDDED_FILE_NAME } from '../../src/platform/embedded-file/embedded-file';
import { searchSize } from '../levels/search-size';
import { ListStage, LISTS, type ListCase } from './list-stage';

const LIMIT_MS = 180_000;
const PAGE_LENGTH = 20;
const PAGES = searchSize('LIST_PAGES', { small: 500, full: 10_000 });
/** As many objects as the last page needs, and some behind it. */
const OBJECTS = PAGE_LENGTH * PAGES + 100;
const ROUNDS = 41;
const WARM_UP_ROUNDS = 5;
const RATIO_AT_MOST = 2;

describe('what a page costs', () => {
  let lists: ListStage;
  const payments = LISTS[0] as ListCase;

  beforeAll(async () => {
    lists = await ListStage.open(false);
  }, LIMIT_MS);

  afterAll(() => lists.stage.close());

  it.each(LISTS.map(list => [list.name, list] as const))(
    'GET %s reads an index in its order, from its cursor on',
    async (_, list) => {
      const { readModels } = lists.instance.parts.core;
      const asked = jest.spyOn(readModels, 'list');
      const cursor = `starting_after=${(await lists.original(list)).id}`;
      for (const filter of ['', ...list.filters])
        for (const query of [filter, `${filter}&${cursor}`]) await lists.page(list, query.replace(/^&/, ''));
      const own = (asked.mock.calls as [Projection, ListQuery][]).filter(([{ name }]) => name === list.projection.name);
      asked.mockRestore();
      expect(own.length).toBeGreaterThanOrEqual(2 * (list.filters.length + 1));
      for (const [{ name, indexes }, query] of own) {
        const plan = planOf(lists, name, indexes[query.index] ?? [], query);
        // One step: no scan, no sorting by itself; each bound field and the cursor narrow the search.
        expect(plan).toHaveLength(1);
        expect(plan[0]).toMatch(/^SEARCH documents:\w+ USING INDEX \w+:\w+ \(/);
        const narrowed = plan[0]?.split(' AND ').length ?? 0;
        expect(narrowed).toBeGreaterThanOrEqual(Object.keys(query.equals).length + (query.after ? 1 : 0));
      }
    },
  );

  it(
    `page ${PAGES.toLocaleString('en')} costs what page 1 costs`,
    async () => {
      const newest = await lists.madeAt(payments);
      const ids = await lists.put(payments, OBJECTS, index => newest - 1 - index);
      const last = `limit=${PAGE_LENGTH}&starting_after=${ids[PAGE_LENGTH * (PAGES - 1) - 2]}`;
      const times = { first: [] as number[], last: [] as number[] };
      for (let round = 0; round < ROUNDS + WARM_UP_ROUNDS; round++) {
        const first = await timed(() => lists.page(payments, `limit=${PAGE_LENGTH}`));
        const far = await timed(() => lists.page(payments, last));
        expect(far.page.data).toHaveLength(PAGE_LENGTH);
        expect(far.page.data[0].id).toBe(ids[PAGE_LENGTH * (PAGES - 1) - 1]);
        if (round >= WARM_UP_ROUNDS) times.first.push(first.ms);
        if (round >= WARM_UP_ROUNDS) times.last.push(far.ms);
      }
      // Other work on the machine only ever adds to a page's time, so the quickest round tells what a page costs.
      expect(Math.min(...times.last) / Math.min(...times.first)).toBeLessThanOrEqual(RATIO_AT_MOST);
    },
    LIMIT_MS,
  );
});

async function timed<T>(read: () => Promise<T>): Promise<{ readonly page: T; readonly ms: number }> {
  const start = performance.now();
  const page = await read();
  return { page, ms: performance.now() - start };
}

/** SQLite's plan to answer the page, a line a step. */
function planOf({ stage }: ListStage, name: string, fields: readonly string[], query: ListQuery): readonly string[] {
  const { dataFolder } = stage.core.config;
  const database = new DatabaseSync(path.join(dataFolder, EMBEDDED_FILE_NAME), { readOnly: true });
  try {
    const { sql, parameters } = pageQuery(`documents:${name}`, fields, query);
    const rows = database.prepare(`explain query plan ${sql}`).all(...parameters) as { readonly detail: string }[];
    return rows.map(({ detail }) => detail);
  } finally {
    database.close();
  }
}
