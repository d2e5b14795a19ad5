import type { JsonObject } from '../vocabulary/json';
import type { Document, ListQuery } from './ports/documents';
import type { ReadModel, ReadModels } from './ports/read-models';

/**
 * All documents of a list, in its order from `after` on, read in pages of `limit`. A document that is put behind the
 * page under way is missed.
 */
export async function* everyDocument<Body extends JsonObject>(
  readModels: Pick<ReadModels, 'list'>,
  readModel: ReadModel<Body>,
  query: ListQuery,
): AsyncGenerator<Document<Body>> {
  for await (const page of everyPage(readModels, readModel, query)) yield* page;
}

/** The pages of `everyDocument`, none of them empty. A page is read once the one before has been taken. */
export async function* everyPage<Body extends JsonObject>(
  readModels: Pick<ReadModels, 'list'>,
  readModel: ReadModel<Body>,
  query: ListQuery,
): AsyncGenerator<readonly Document<Body>[]> {
  const fields: readonly string[] = readModel.indexes[query.index] ?? [];
  const order = fields.filter(field => !(field in query.equals) && field !== 'id');
  for (let { after } = query; ;) {
    const page = await readModels.list(readModel, { ...query, ...(after && { after }) });
    const last = page.at(-1);
    if (last === undefined) return;
    yield page;
    if (page.length < query.limit) return;
    after = { ...Object.fromEntries(order.map(field => [field, last.body[field] ?? null])), id: last.id };
  }
}
