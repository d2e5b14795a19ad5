import type { RecordedEvent } from '../event';
import type { Universe } from '../../vocabulary/modes';
import type { JsonObject } from '../../vocabulary/json';
import type { Document, ListQuery } from './documents';
import { StoreUnavailable } from './event-store';

declare const BODY: unique symbol;
type Fields<Body> = readonly (Extract<keyof Body, string> | 'id')[];

/** Documents of one shape: their collection, and the indexes by which they are found. A projection fills them. */
export type ReadModel<Body extends JsonObject = JsonObject> = {
  readonly name: string;
  /** Raised when a document or an index changes; the runner then rebuilds. */
  readonly version: number;
  readonly indexes: Readonly<Record<string, Fields<Body>>>;
  readonly unique?: Readonly<Record<string, Fields<Body>>>;
  /** Each index with the field that all its queries bind to a value. */
  readonly sparse?: Readonly<Record<string, Extract<keyof Body, string>>>;
  /** Each event of a mirrored stream tells the whole document, so readers read the newest event alone. */
  readonly restates?: true;
  /** Never present: the field carries the documents' type. */
  readonly [BODY]?: Body;
};

/**
 * The documents are of another version than the code's, and are being built anew. As with a store that is away, only
 * waiting helps.
 */
export class ReadModelBeingBuilt extends StoreUnavailable {
  constructor(readModel: string) {
    super(`the read model ${readModel} is being built anew`);
    this.name = 'ReadModelBeingBuilt';
  }
}

/**
 * Reads the documents that projections wrote. Each reading throws ReadModelBeingBuilt where the documents are of
 * another version and no stream can answer instead.
 */
export interface ReadModels {
  /**
   * The document of one id, never older than the last answered write, whichever of the universes it is of. Where the
   * projection mirrors the stream `{universe}.{category}-{id}`, the stream is read from the document's revision on.
   * Null when there is neither a document nor a stream.
   */
  get<Body extends JsonObject>(
    readModel: ReadModel<Body>,
    universes: Universe | readonly Universe[],
    id: string,
  ): Promise<Document<Body> | null>;
  /**
   * The document as it was last written, whichever of the universes it is of: its stream may be longer by now. Where
   * none is written, what the streams of the id tell.
   */
  stored<Body extends JsonObject>(
    readModel: ReadModel<Body>,
    universes: readonly Universe[],
    id: string,
  ): Promise<Document<Body> | null>;
  /**
   * A document that a list gave, brought up to its stream's newest event as `get` does; null when the stream removes
   * it. `streamId` is the id of the document's stream, the document's own unless told.
   */
  freshen<Body extends JsonObject>(
    readModel: ReadModel<Body>,
    universe: Universe,
    document: Document<Body>,
    streamId?: string,
  ): Promise<Document<Body> | null>;
  /** One page by a declared index, which follows the log within the runner's lag. */
  list<Body extends JsonObject>(readModel: ReadModel<Body>, query: ListQuery): Promise<readonly Document<Body>[]>;
  /** The documents that the whole history of a stream makes. */
  fold<Body extends JsonObject>(
    readModel: ReadModel<Body>,
    history: readonly RecordedEvent[],
  ): readonly Document<Body>[];
}
