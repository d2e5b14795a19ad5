import type { Document } from '../../../kernel/ports/documents';
import type { ReadModel, ReadModels } from '../../../kernel/ports/read-models';
import type { JsonObject } from '../../../vocabulary/json';
import type { Universe } from '../../../vocabulary/modes';

/** Finds a document, whichever of the universes it is of; null for an unknown id. */
export type FindDocument = <Body extends JsonObject>(
  readModel: ReadModel<Body>,
  universes: readonly [Universe, ...Universe[]],
  id: string,
) => Promise<Document<Body> | null>;

/** Finds documents as their streams tell them now. */
export function findNewest(readModels: Pick<ReadModels, 'stored' | 'freshen'>): FindDocument {
  return async (readModel, universes, id) => {
    const stored = await readModels.stored(readModel, universes, id);
    if (stored === null) return null;
    const universe = universes.find(each => each === stored.body.mode) ?? universes[0];
    return readModels.freshen(readModel, universe, stored);
  };
}
