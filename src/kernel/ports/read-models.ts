import type { Universe } from '../event';
import type { JsonObject } from '../json';
import type { Projection } from '../projection';
import type { Document, ListQuery } from './documents';

/** Reading what projections wrote. */
export interface ReadModels {
  /**
   * The document of one id, never older than the last answered write. Where the projection mirrors the stream
   * `{universe}.{category}-{id}`, the stream is read from the document's revision on. Null when there is neither a
   * document nor a stream.
   */
  get<Body extends JsonObject>(
    projection: Projection<Body>,
    universe: Universe,
    id: string,
  ): Promise<Document<Body> | null>;
  /**
   * A document that a list gave, brought up to its stream's newest event as `get` does; null when the stream removes
   * it.
   */
  freshen<Body extends JsonObject>(
    projection: Projection<Body>,
    universe: Universe,
    document: Document<Body>,
  ): Promise<Document<Body> | null>;
  /** One page by a declared index; it follows the log within the runner's lag. */
  list<Body extends JsonObject>(projection: Projection<Body>, query: ListQuery): Promise<readonly Document<Body>[]>;
}
