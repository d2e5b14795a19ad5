import type { JsonObject } from '../../src/vocabulary/json';
import type { Collection, CollectionSpec, Document } from '../../src/kernel/ports/documents';
import type { ReadModel } from '../../src/kernel/ports/read-models';

/** Documents of one write: some milliseconds of an engine that writes on the event loop. */
export const DOCUMENTS_PER_WRITE = 1_000;
const DOCUMENTS_PER_PAGE = 1_000;
const ALL_BY_ID = 'all_by_id';

/** The collection of a read model's documents: under its own name, or under another while it is built. */
export function collectionSpec(readModel: ReadModel, name: string = readModel.name): CollectionSpec {
  const { indexes, unique, sparse } = readModel;
  return { name, indexes, ...(unique && { unique }), ...(sparse && { sparse }) };
}

/**
 * The same with an index that lists all documents in the order of their ids. Opening by `collectionSpec` drops that
 * index again.
 */
export function scannableSpec(readModel: ReadModel, name: string = readModel.name): CollectionSpec {
  const spec = collectionSpec(readModel, name);
  return { ...spec, indexes: { ...spec.indexes, [ALL_BY_ID]: ['id'] } };
}

/** Every document of a collection that was opened by `scannableSpec`, ids ascending, a page at a time. */
export async function* scan<Body extends JsonObject>(collection: Collection<Body>): AsyncGenerator<Document<Body>> {
  for (let after: { id: string } | undefined; ;) {
    const page = await collection.list({
      index: ALL_BY_ID,
      equals: {},
      limit: DOCUMENTS_PER_PAGE,
      ...(after && { after }),
    });
    yield* page;
    const last = page.at(-1);
    if (!last || page.length < DOCUMENTS_PER_PAGE) return;
    after = { id: last.id };
  }
}
