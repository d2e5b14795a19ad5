import type { JsonObject, JsonValue } from '../../vocabulary/json';

/**
 * `version` is the stream's revision for a document of one stream, otherwise the log's position or a counter of its
 * writer.
 */
export type Document<Body extends JsonObject = JsonObject> = {
  readonly id: string;
  readonly version: number;
  readonly body: Body;
};

/**
 * Indexes are ordered lists of top-level body fields (`id` is the document's own); a unique one refuses a second
 * document.
 */
export type CollectionSpec = {
  readonly name: string;
  readonly indexes: Readonly<Record<string, readonly string[]>>;
  readonly unique?: Readonly<Record<string, readonly string[]>>;
  /**
   * Indexes whose queries all bind one of the fields to a value: the field by the index. An engine may leave out
   * documents in which the field is null.
   */
  readonly sparse?: Readonly<Record<string, string>>;
};

/**
 * A question to one index: `equals` binds its first fields, `range` the next one, and the rest orders the answer.
 * `after` is the last document of the previous page, by the fields that follow `equals`. `omit` names members that the
 * answer lacks, such as `state.ledger`.
 */
export type ListQuery = {
  readonly index: string;
  readonly equals: Readonly<Record<string, string | number | boolean | null>>;
  readonly range?: { readonly from?: string | number; readonly to?: string | number };
  readonly after?: Readonly<Record<string, JsonValue>>;
  readonly descending?: boolean;
  readonly limit: number;
  readonly omit?: readonly string[];
};

const MEMBER = /^[a-z_]+(?:\.[a-z_]+)*$/;

/** The members that a query leaves out. Throws RangeError for a text that is no path of names. */
export function omittedMembers({ omit = [], index }: ListQuery): readonly string[] {
  const bad = omit.find(path => !MEMBER.test(path));
  if (bad !== undefined) throw new RangeError(`a query of the index ${index} omits what is no member: ${bad}`);
  return omit;
}

/** The field that a query of a sparse index binds, else null. Throws RangeError where it is bound to no value. */
export function sparseField({ name, sparse }: CollectionSpec, { index, equals }: ListQuery): string | null {
  const field = sparse?.[index] ?? null;
  if (field !== null && (equals[field] ?? null) === null)
    throw new RangeError(`${name}: a query of the sparse index ${index} must bind ${field} to a value`);
  return field;
}

/** The greatest number of ids in one question. */
export const DOCUMENTS_PER_READ = 1_000;

export interface Collection<Body extends JsonObject = JsonObject> {
  get(id: string): Promise<Document<Body> | null>;
  /**
   * The documents of those ids that have one, in any order, by one question. Throws RangeError for more than
   * DOCUMENTS_PER_READ.
   */
  getAll(ids: readonly string[]): Promise<readonly Document<Body>[]>;
  /**
   * Writes the document in place of any earlier one. Throws DuplicateKey when a unique index holds another document.
   */
  put(document: Document<Body>): Promise<void>;
  /** Writes only where there is no document, or one of a smaller version; false where nothing was written. */
  putNewer(document: Document<Body>): Promise<boolean>;
  /** `putNewer` for many, in one write. */
  putAllNewer(documents: readonly Document<Body>[]): Promise<void>;
  /** False when the id, or a unique key, is taken. */
  insert(document: Document<Body>): Promise<boolean>;
  /** `insert` for many, in one write. Answers the ids that were taken, or that have a unique key that was. */
  insertAll(documents: readonly Document<Body>[]): Promise<readonly string[]>;
  /** Writes only where the standing document has `expectedVersion`. */
  replace(document: Document<Body>, expectedVersion: number): Promise<boolean>;
  /**
   * Deletes only where the standing document's version is no greater, so a slower removal leaves a newer document
   * alone.
   */
  deleteUpTo(id: string, version: number): Promise<void>;
  /** Deletes only where the standing document has `expectedVersion`; false where nothing was deleted. */
  deleteAt(id: string, expectedVersion: number): Promise<boolean>;
  list(query: ListQuery): Promise<readonly Document<Body>[]>;
  count(): Promise<number>;
}

export interface Documents {
  /** Makes the collection and its indexes where they are missing. */
  open<Body extends JsonObject>(spec: CollectionSpec): Promise<Collection<Body>>;
  /**
   * The collection `building` takes the place of `live`, which is dropped; readers see either the old or the new one.
   */
  switch(building: string, live: string): Promise<void>;
  drop(name: string): Promise<void>;
  close(): Promise<void>;
}

export class DuplicateKey extends Error {
  constructor(
    readonly collection: string,
    readonly index: string,
  ) {
    super(`${collection}: another document holds this ${index}`);
    this.name = 'DuplicateKey';
  }
}
