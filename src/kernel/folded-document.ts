import type { JsonObject } from '../vocabulary/json';
import type { RecordedEvent } from './event';
import { invariant } from './invariant';
import type { Document } from './ports/documents';
import type { ReadModel, ReadModels } from './ports/read-models';

/** The one document of a stream as a command has just left it, by the history that the command answers. */
export function foldedDocument<Body extends JsonObject>(
  readModels: Pick<ReadModels, 'fold'>,
  readModel: ReadModel<Body>,
  id: string,
  history: readonly RecordedEvent[],
): Document<Body> {
  const [document] = readModels.fold(readModel, history);
  invariant(document?.id === id, `the history of ${id} makes no document of ${readModel.name}`);
  return document;
}
