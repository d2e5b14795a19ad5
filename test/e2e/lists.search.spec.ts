import fc from 'fast-check';
import { operationsOf, resolve, type ApiDocument, type Parameter } from '../../src/platform/docs/api-document';
import { searchSize } from '../levels/search-size';
import { ListStage, LISTS, type ListCase } from './list-stage';

const LIMIT_MS = 120_000;
const SECOND_MS = 1_000;
const DAY_MS = 86_400_000;
const PAGES_LIMIT = 500;
/** Ways in which the writes of others fall between the pages of a list. */
const INTERLEAVINGS = searchSize('LIST_INTERLEAVINGS', { small: 1, full: 15 });
/** Lengths of pages. */
const LENGTHS = [7, 1, 40];
/** The first so many of them. */
const READ_BY = LENGTHS.slice(0, searchSize('LIST_PAGE_LENGTHS', { small: 1, full: LENGTHS.length }));
/** Lists that have tests of their own. */
const TESTED_APART = [
  '/v1/exchange_rates',
  '/v1/payment_intents/{id}/events',
  '/v1/reconciliations',
  '/v1/transaction_claims',
];

type Item = { readonly id: string; readonly created: string | number };

let lists: ListStage;

beforeAll(async () => {
  lists = await ListStage.open();
}, LIMIT_MS);

afterAll(() => lists.stage.close());

/** All pages from the first on; `between` runs before each further one. */
async function pages(list: ListCase, query: string, between: () => Promise<unknown> = () => Promise.resolve()) {
  const items: Item[] = [];
  for (let count = 0, cursor = ''; ; count++) {
    const page = await lists.page(list, `${query}${cursor}`);
    expect(page).toMatchObject({ object: 'list', url: lists.named(list.name) });
    items.push(...page.data);
    if (!page.has_more) return items;
    if (count > PAGES_LIMIT || page.data.length === 0) throw new Error(`${list.name} does not end`);
    cursor = `&starting_after=${items.at(-1)?.id}`;
    await between();
  }
}

const ids = (items: readonly Item[]): readonly string[] => items.map(({ id }) => id);

it('knows every list of the contract', async () => {
  const { paths } = await lists.merchant.done('GET /openapi.json');
  const paged = Object.keys(paths).filter(path =>
    paths[path].get?.parameters.some(({ $ref }: { $ref?: string }) => $ref?.endsWith('/starting_after')),
  );
  const known = LISTS.map(({ name }) => name.replace(/\{\w+\}/g, '{id}'));
  expect(paged.sort()).toEqual([...known, ...TESTED_APART].sort());
});

describe.each(LISTS.map(list => [list.name, list] as const))('GET %s', (_, list) => {
  it('answers newest first, all of it and each object once, whatever the length of its pages', async () => {
    const at = await lists.madeAt(list);
    // Some of them at the same moment: then the id decides.
    await lists.put(list, 40, index => at + SECOND_MS * Math.floor(index / 4));
    const all = await pages(list, 'limit=100');
    expect(all.length).toBeGreaterThanOrEqual(41);
    const keys = all.map(({ id, created }) => `${String(created).padStart(13, '0')} ${id}`);
    expect(keys).toEqual([...keys].sort().reverse());
    expect(new Set(ids(all)).size).toBe(all.length);
    for (const limit of READ_BY) expect(ids(await pages(list, `limit=${limit}`))).toEqual(ids(all));
  });

  it(
    'repeats and hides nothing while others write',
    async () => {
      const at = await lists.madeAt(list);
      const interleaving = fc.record({
        limit: fc.integer({ min: 1, max: 20 }),
        writes: fc.array(fc.record({ count: fc.nat(3), aheadMs: fc.constantFrom(0, 1, 60_000, 3_600_000) }), {
          minLength: 1,
          maxLength: 6,
        }),
      });
      await fc.assert(
        fc.asyncProperty(interleaving, async ({ limit, writes }) => {
          const before = ids(await pages(list, 'limit=100'));
          let turn = 0;
          const seen = await pages(list, `limit=${limit}`, async () => {
            const write = writes[turn++ % writes.length];
            if (write && turn <= writes.length) await lists.put(list, write.count, () => at + write.aheadMs);
          });
          expect(new Set(ids(seen)).size).toBe(seen.length);
          expect(before.filter(id => !ids(seen).includes(id))).toEqual([]);
        }),
        { numRuns: INTERLEAVINGS, seed: 1 },
      );
    },
    LIMIT_MS,
  );

  for (const filter of list.filters) {
    it(`filters by ${filter}, page by page`, async () => {
      const real = (await lists.original(list)).id;
      const at = await lists.madeAt(list);
      await lists.put(list, 5, index => at + index);
      const all = await pages(list, `${filter}&limit=100`);
      expect(ids(all)).toContain(real);
      expect(ids(await pages(list, `${filter}&limit=3`))).toEqual(ids(all));
    });
  }

  it.each(['colour=red', 'merchant_id=x', 'limit[]=1', 'offset=20', 'page=2', 'order=asc'])(
    'refuses ?%s, which is none of its filters',
    async query => {
      const refused = await lists.merchant.call(`GET ${lists.named(list.name)}?${query}`);
      expect(refused).toMatchObject({ status: 400, code: 'invalid_filter' });
    },
  );

  it('takes the last object of a page of its own merchant, mode and list as a cursor, and no other', async () => {
    const path = lists.named(list.name);
    const foreign = LISTS.find(({ name }) => name !== list.name) as ListCase;
    const own = await lists.page(list, 'limit=1');
    const others = path.includes('/deliveries')
      ? lists.unknownId(list)
      : (await lists.other.done(`GET ${path}?limit=1`)).data[0].id;
    const bad = [
      lists.unknownId(list),
      others,
      (await lists.original(foreign)).id,
      'x',
      '',
      own.data[0].id.toUpperCase(),
    ];
    for (const id of bad) {
      const refused = await lists.merchant.call(`GET ${path}?starting_after=${id}`);
      expect([id, refused.status, refused.code]).toEqual([id, 400, 'invalid_cursor']);
      expect(refused.body.error.param).toBe('starting_after');
    }
    expect((await lists.page(list, `starting_after=${own.data[0].id}`)).data[0].id).not.toBe(own.data[0].id);
    const live = await lists.merchant.call(`GET ${path}?starting_after=${own.data[0].id}`, {
      key: lists.merchant.registered.keys.live,
    });
    expect(live.code).toBe(path.includes('/deliveries') ? 'unknown_endpoint' : 'invalid_cursor');
  });

  it('has pages of 1 to 100, and of 20 unless told', async () => {
    const at = await lists.madeAt(list);
    await lists.put(list, 120, index => at - index);
    expect((await lists.page(list, '')).data).toHaveLength(20);
    expect((await lists.page(list, 'limit=100')).data).toHaveLength(100);
    for (const limit of ['0', '101', '-1', '1.5', '1e1', '', ' 1', '01'])
      expect(
        await lists.merchant.call(`GET ${lists.named(list.name)}?limit=${encodeURIComponent(limit)}`),
      ).toMatchObject({
        status: 400,
        code: 'invalid_limit',
      });
  });
});

describe('a query that a list refuses', () => {
  /** Each list of the contract, with the query parameters that it takes. */
  async function listed(): Promise<readonly (readonly [path: string, taken: readonly Parameter[]])[]> {
    const document = (await lists.merchant.done('GET /openapi.json')) as ApiDocument;
    return operationsOf(document).flatMap(({ path, operation }) => {
      const parameters = operation.parameters.map(each => resolve(document.components, each));
      const own = path.replace('endpoints/{id}', 'endpoints/{endpoint}').replace('intents/{id}', 'intents/{payment}');
      const isPaged = parameters.some(({ name }) => name === 'starting_after');
      return isPaged ? [[lists.named(own), parameters.filter(each => each.in === 'query')] as const] : [];
    });
  }

  async function refusal(path: string, query: string) {
    const { status, body } = await lists.merchant.call(`GET ${path}?${query}`);
    expect([path, query, status]).toEqual([path, query, 400]);
    return body.error as { readonly code: string; readonly param: string; readonly message: string };
  }

  it('is told of the parameters that the list takes', async () => {
    const all = await listed();
    expect(all).toHaveLength(LISTS.length + TESTED_APART.length);
    for (const [path, taken] of all) {
      const { code, param, message } = await refusal(path, 'colour=red');
      expect([path, code, param]).toEqual([path, 'invalid_filter', 'colour']);
      for (const { name } of taken) expect(message).toContain(name);
    }
  });

  it('is told of the values that the parameter takes', async () => {
    const seen = new Set<string>();
    for (const [path, taken] of await listed()) {
      for (const { name, schema } of taken) {
        const values = (schema.enum ?? []) as readonly string[];
        if (values.length > 0) {
          const { code, param, message } = await refusal(path, `${name}=none`);
          expect([path, code, param]).toEqual([path, 'invalid_filter', name]);
          for (const value of values) expect(message).toContain(value);
        } else if (schema.format === 'date-time') {
          expect(await refusal(path, `${name}=today`)).toMatchObject({ message: expect.stringContaining('T12:00:00') });
        } else if (name === 'limit') {
          expect((await refusal(path, 'limit=0')).message).toContain('from 1 to 100');
        } else if (name === 'starting_after') {
          expect((await refusal(path, 'starting_after=x')).message).toContain('the id that closed the previous page');
        } else if (name === 'currency') {
          expect((await refusal(path, 'currency=eur')).message).toContain('three capital letters');
        }
        seen.add(name);
      }
    }
    expect([...seen]).toEqual(expect.arrayContaining(['status', 'network_id', 'delivered', 'type', 'created_from']));
  });

  it('is told that a call which is no list takes none', async () => {
    expect((await refusal('/v1/settings', 'colour=red')).message).toBe('This call takes no query.');
  });
});

describe('filters of payments', () => {
  const list = LISTS[0] as ListCase;

  it('shows those of a status, before and after it changes', async () => {
    // The new object is later than every document that was put there ahead of its time.
    lists.stage.clock.aheadMs += DAY_MS;
    const { id } = await lists.merchant.createIntent();
    expect(ids((await lists.page(list, 'status=created&limit=1')).data)).toEqual([id]);
    await lists.merchant.done(`POST /v1/payment_intents/${id}/cancel`);
    expect(ids((await lists.page(list, 'status=canceled')).data)).toEqual([id]);
    expect(ids(await pages(list, 'status=created&limit=100'))).not.toContain(id);
    // The object no longer passes the filter, and still says where the page before ended.
    expect((await lists.page(list, `status=created&limit=1&starting_after=${id}`)).data).toHaveLength(1);
  });

  it('shows those of a time, both ends included', async () => {
    const [first, middle, last] = await lists.put(list, 3, index => Date.parse('2025-03-01T00:00:00Z') + index);
    const from = 'created_from=2025-03-01T00:00:00.001Z';
    const to = 'created_to=2025-03-01T00:00:00.001Z';
    expect(ids(await pages(list, `${from}&created_to=2025-03-02T00:00:00Z&limit=1`))).toEqual([last, middle]);
    expect(ids(await pages(list, `${to}&created_from=2025-02-28T00:00:00Z&limit=1`))).toEqual([middle, first]);
    const reversed = `GET /v1/payment_intents?${to}&created_from=2025-03-02T00:00:00Z`;
    expect(await lists.merchant.call(reversed)).toMatchObject({ status: 400, code: 'invalid_range' });
  });
});
