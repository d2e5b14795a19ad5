import { everyPage, type Lister } from '../../kernel/every-document';
import type { Document, ListQuery } from '../../kernel/ports/documents';
import type { ReadModel } from '../../kernel/ports/read-models';
import { refuse } from '../../vocabulary/errors';
import type { JsonObject } from '../../vocabulary/json';

/** Rows that one page may look at, where its filters have no index in common. */
const ROWS_LOOKED_AT = 5_000;
const ROWS_PER_READ = 500;

export type RowTest<Body> = (body: Body) => boolean;

/**
 * One page of the rows of an index that pass the tests. Throws Refusal invalid_filter where too many other rows lie
 * between those that pass.
 */
export async function rowsThatPass<Body extends JsonObject>(
  rows: Lister<NoInfer<Body>>,
  readModel: ReadModel<Body>,
  query: ListQuery,
  tests: readonly RowTest<Body>[],
): Promise<readonly Document<Body>[]> {
  if (tests.length === 0) return rows.list(readModel, query);
  const found: Document<Body>[] = [];
  let lookedAt = 0;
  for await (const page of everyPage(rows, readModel, { ...query, limit: ROWS_PER_READ })) {
    found.push(...page.filter(({ body }) => tests.every(passes => passes(body))));
    if (found.length >= query.limit) return found.slice(0, query.limit);
    if ((lookedAt += page.length) >= ROWS_LOOKED_AT) throw tooManyBetween();
  }
  return found;
}

function tooManyBetween(): Error {
  const message = `These filters together would look at more than ${ROWS_LOOKED_AT} rows. Give fewer filters, or narrower ones.`;
  return refuse('invalid_filter', { message });
}
