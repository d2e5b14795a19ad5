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
