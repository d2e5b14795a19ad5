import type { JsonObject } from '../vocabulary/json';
import type { Document, ListQuery } from './ports/documents';
import type { ReadModel } from './ports/read-models';

/** Read models, or other documents that are kept in the same way. */
export type Lister<Body extends JsonObject> = {
  list(readModel: ReadModel<Body>, query: ListQuery): Promise<readonly Document<Body>[]>;
};

/**
 * All documents of a list, in its order from `after` on, read in pages of `limit`. A document that is put behind the
 * page under way is missed.
 */
export async function* everyDocument<Body extends JsonObject>(
  readModels: Lister<NoInfer<Body>>,
  readModel: ReadModel<Body>,
  query: ListQuery,
): AsyncGenerator<Document<Body>> {
  for await (const page of everyPage(readModels, readModel, query)) yield* page;
}

/** The pages of `everyDocument`, none of them empty. A page is read once the one before has been taken. */
export async function* everyPage<Body extends JsonObject>(
  readModels: Lister<NoInfer<Body>>,
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
