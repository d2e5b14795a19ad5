import type { JsonObject } from '../vocabulary/json';
import type { Collection, Document } from './ports/documents';

/**
 * Writes the body in place of `standing`, the document as it was read; null where there was none. False where another
 * writer was faster, and nothing was written.
 */
export function writeOver<Body extends JsonObject>(
  collection: Pick<Collection<Body>, 'insert' | 'replace'>,
  id: string,
  standing: Document<Body> | null,
  body: Body,
): Promise<boolean> {
  if (standing === null) return collection.insert({ id, version: 1, body });
  return collection.replace({ id, version: standing.version + 1, body }, standing.version);
}

type GuardedTry<Body extends JsonObject> = {
  /** The document's body as this try has read it; null where there is none. */
  readonly standing: Body | null;
  /** The version of that document; 0 where there is none. */
  readonly version: number;
  /** Writes in place of what was read. False where another writer was faster: the next try reads anew. */
  readonly write: (body: Body) => Promise<boolean>;
};

/**
 * Tries of one change to a document, each with a fresh read; the first one starts from `known`, where the caller holds
 * the document already. The caller leaves the loop once a write succeeds, or where the document asks for none. The loop
 * ends by itself where others were faster `limit` times.
 */
export async function* guardedTries<Body extends JsonObject>(
  collection: Pick<Collection<Body>, 'get' | 'insert' | 'replace'>,
  id: string,
  limit: number,
  known?: Document<Body> | null,
): AsyncGenerator<GuardedTry<Body>, void> {
  for (let attempt = 1; attempt <= limit; attempt++) {
    const standing = attempt === 1 && known !== undefined ? known : await collection.get(id);
    const { body = null, version = 0 } = standing ?? {};
    yield { standing: body, version, write: next => writeOver(collection, id, standing, next) };
  }
}
