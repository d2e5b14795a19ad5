import { isRefusal } from '../../../src/vocabulary/errors';
import type { JsonValue } from '../../../src/vocabulary/json';
import type { Document, ListQuery } from '../../../src/kernel/ports/documents';
import type { ReadModel, ReadModels } from '../../../src/kernel/ports/read-models';
import { listPage, parsePage } from '../../../src/platform/http/lists';

type Body = { readonly merchant_id: string; readonly mode: string; readonly status: string; readonly created: string };
type Doc = Document<Body>;

const orders: ReadModel<Body> = {
  name: 'orders',
  version: 1,
  indexes: { by_merchant: ['merchant_id', 'mode', 'created', 'id'] },
};

function doc(id: string, created: string, more: Partial<Body> = {}): Doc {
  return { id, version: 0, body: { merchant_id: 'mch_1', mode: 'test', status: 'open', created, ...more } };
}

/** The port's contract over a plain array, sorted by (created, id). */
function readModelsOf(docs: readonly Doc[], queries: ListQuery[] = []): ReadModels {
  const place = (item: Doc) => `${item.body.created}|${item.id}`;
  const get: ReadModels['get'] = async (_readModel, _universe, id) =>
    (docs.find(item => item.id === id) ?? null) as never;
  return {
    get,
    stored: (readModel, [universe = 'test'], id) => get(readModel, universe, id),
    freshen: async (_readModel, _universe, document) => document,
    list: async (_readModel, query) => {
      queries.push(query);
      const after = query.after && `${query.after.created as string}|${query.after.id as string}`;
      const sign = query.descending ? -1 : 1;
      return docs
        .filter(({ body }) =>
          Object.entries(query.equals).every(([field, value]) => (body as Record<string, JsonValue>)[field] === value),
        )
        .sort((a, b) => sign * (place(a) < place(b) ? -1 : 1))
        .filter(item => after === undefined || sign * (place(item) < after ? -1 : 1) > 0)
        .filter(item => place(item) !== after)
        .slice(0, query.limit) as never;
    },
    fold: () => [],
  };
}

const code = (run: () => unknown): unknown => {
  try {
    run();
    return 'nothing thrown';
  } catch (error) {
    return isRefusal(error) ? [error.code, error.param] : error;
  }
};

describe('parsePage', () => {
  it('has defaults', () => {
    expect(parsePage({}, [])).toEqual({ limit: 20, startingAfter: null, filters: {} });
  });

  it('reads what is allowed', () => {
    const query = { limit: '100', starting_after: 'pi_1', status: 'open' };
    expect(parsePage(query, ['status', 'type'])).toEqual({
      limit: 100,
      startingAfter: 'pi_1',
      filters: { status: 'open' },
    });
  });

  it.each(['0', '101', '-1', '1.5', '1e1', '', ' 5', '05', 'ten', '٣'])('refuses the limit "%s"', limit => {
    expect(code(() => parsePage({ limit }, []))).toEqual(['invalid_limit', 'limit']);
  });

  it.each([
    [{ colour: 'red' }, ['invalid_filter', 'colour']],
    [{ status: 'open', state: 'x' }, ['invalid_filter', 'state']],
    [{ constructor: 'x' }, ['invalid_filter', 'constructor']],
    [{ starting_after: '' }, ['invalid_cursor', 'starting_after']],
    [{ status: ['a', 'b'] }, ['parameter_invalid', 'status']],
    [{ limit: ['1', '2'] }, ['parameter_invalid', 'limit']],
  ])('refuses %j', (query, refusal) => {
    expect(code(() => parsePage(query, ['status']))).toEqual(refusal);
  });
});

describe('listPage', () => {
  const source = { index: 'by_merchant', equals: { merchant_id: 'mch_1', mode: 'test' }, order: ['created', 'id'] };
  const view = { url: '/v1/orders', present: ({ id }: Doc) => id };
  // Three share one millisecond: the id orders them.
  const docs = ['1', '2', '2', '2', '3', '4', '5'].map((created, index) => doc(`or_${index}`, created));
  const page = (query: Record<string, string>, filters: readonly string[] = []) => parsePage(query, filters);

  it('walks through all, newest first, none twice and none left out', async () => {
    const seen: string[] = [];
    let query: Record<string, string> = { limit: '2' };
    for (let pages = 1; pages <= docs.length; pages++) {
      const list = await listPage(readModelsOf(docs), orders, source, page(query), view);
      seen.push(...list.data);
      if (!list.has_more) break;
      query = { limit: '2', starting_after: list.data.at(-1) as string };
    }
    expect(seen).toEqual(['or_6', 'or_5', 'or_4', 'or_3', 'or_2', 'or_1', 'or_0']);
  });

  it('has the envelope, and no more at an exact end', async () => {
    expect(await listPage(readModelsOf(docs.slice(0, 2)), orders, source, page({ limit: '2' }), view)).toStrictEqual({
      object: 'list',
      url: '/v1/orders',
      has_more: false,
      data: ['or_1', 'or_0'],
    });
  });

  it('reads oldest first where told, and waits for what presents', async () => {
    const ascending = { ...source, ascending: true };
    const later = { url: '/v1/orders', present: async ({ id }: Doc) => id };
    const list = await listPage(readModelsOf(docs), orders, ascending, page({ limit: '2' }), later);
    expect([list.data, list.has_more]).toEqual([['or_0', 'or_1'], true]);
  });

  it('asks one index, by key, for one more than shown', async () => {
    const queries: ListQuery[] = [];
    const ranged = { ...source, range: { from: '2' } };
    await listPage(readModelsOf(docs, queries), orders, ranged, page({ limit: '3', starting_after: 'or_4' }), view);
    expect(queries).toStrictEqual([
      {
        index: 'by_merchant',
        equals: source.equals,
        range: { from: '2' },
        after: { created: '3', id: 'or_4' },
        descending: true,
        limit: 4,
      },
    ]);
  });

  it.each([
    ['unknown', 'or_9'],
    ["another merchant's", 'or_other'],
    ["the other mode's", 'or_live'],
  ])('refuses a cursor that is %s', async (_, id) => {
    const others = [doc('or_other', '1', { merchant_id: 'mch_2' }), doc('or_live', '1', { mode: 'live' })];
    const list = listPage(readModelsOf([...docs, ...others]), orders, source, page({ starting_after: id }), view);
    await expect(list).rejects.toMatchObject({ code: 'invalid_cursor', param: 'starting_after' });
  });

  it('pages on from an object that has left the filter meanwhile', async () => {
    const changed = docs.map(item => (item.id === 'or_4' ? doc('or_4', '3', { status: 'closed' }) : item));
    const filtered = { ...source, equals: { ...source.equals, status: 'open' } };
    const next = page({ status: 'open', starting_after: 'or_4', limit: '1' }, ['status']);
    expect((await listPage(readModelsOf(changed), orders, filtered, next, view)).data).toEqual(['or_3']);
  });
});
