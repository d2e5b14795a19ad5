import type { Document } from '../../kernel/ports/documents';
import type { JsonObject } from '../../vocabulary/json';

type Created = JsonObject & { readonly created: string | null };
type List<Body extends Created> = AsyncGenerator<Document<Body>>;
/** A list, and the document that comes next in it. */
type Head<Body extends Created> = { readonly list: List<Body>; readonly next: Document<Body> };

/**
 * Merges lists by their common order, the creation and then the id, in pages of `rows`. One document of each list is
 * looked at. All lists end with the merged one, however far that is read.
 */
export async function* mergedPages<Body extends Created>(
  lists: readonly List<Body>[],
  { ascending, rows }: { readonly ascending: boolean; readonly rows: number },
): AsyncGenerator<readonly Document<Body>[]> {
  try {
    let heads: readonly Head<Body>[] = [];
    for (const list of lists) heads = [...heads, ...(await headOf(list))];
    while (heads.length > 0) {
      const page: Document<Body>[] = [];
      for (let first = firstOf(heads, ascending); first && page.length < rows; first = firstOf(heads, ascending)) {
        page.push(first.next);
        const next = await headOf(first.list);
        heads = heads.flatMap(head => (head === first ? next : head));
      }
      yield page;
    }
  } finally {
    for (const list of lists) await list.return(undefined);
  }
}

/** None where the list is at its end. */
async function headOf<Body extends Created>(list: List<Body>): Promise<readonly Head<Body>[]> {
  const result = await list.next();
  return result.done ? [] : [{ list, next: result.value }];
}

function firstOf<Body extends Created>(heads: readonly Head<Body>[], ascending: boolean): Head<Body> | undefined {
  const isBefore = (one: string, other: string): boolean => (ascending ? one < other : one > other);
  return heads.reduce<Head<Body> | undefined>(
    (first, head) => (first === undefined || isBefore(keyOf(head), keyOf(first)) ? head : first),
    undefined,
  );
}

function keyOf<Body extends Created>({ next: { id, body } }: Head<Body>): string {
  return `${body.created} ${id}`;
}
