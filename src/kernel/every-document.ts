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
  const fields: readonly string[] = readModel.indexes[query.index] ?? [];
  const order = fields.filter(field => !(field in query.equals) && field !== 'id');
  for (let { after } = query; ;) {
    const page = await readModels.list(readModel, { ...query, ...(after && { after }) });
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < query.limit) return;
    after = { ...Object.fromEntries(order.map(field => [field, last.body[field] ?? null])), id: last.id };
  }
}
