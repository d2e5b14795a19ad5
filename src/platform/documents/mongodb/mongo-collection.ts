import { MongoBulkWriteError, type AnyBulkWriteOperation, type Collection as DriverCollection } from 'mongodb';
import type { JsonObject } from '../../../vocabulary/json';
import {
  DOCUMENTS_PER_READ,
  DuplicateKey,
  omittedMembers,
  sparseField,
  type Collection,
  type CollectionSpec,
  type Document,
  type ListQuery,
} from '../../../kernel/ports/documents';
import { StoreUnavailable } from '../../../kernel/ports/event-store';
import { indexedFields } from './index-plan';
import { pageQuery } from './list-filter';
import {
  asPortError,
  DUPLICATE_KEY,
  isDuplicateKey,
  isIdTaken,
  violatedIndex,
  wasReplacedWhileRead,
} from './mongo-errors';
import { fromStored, toStored, type StoredDocument } from './stored-document';

const DOCUMENTS_PER_WRITE = 10_000;
/** Each lost try means that another writer put the same id at that moment. */
const WRITE_TRIES = 16;
const READ_TRIES = 3;

/** The methods of the driver's collection that are used. */
type DriverDocuments = Pick<
  DriverCollection<StoredDocument>,
  'find' | 'findOne' | 'replaceOne' | 'insertOne' | 'insertMany' | 'deleteOne' | 'bulkWrite' | 'countDocuments'
>;

/** The driver's collection names its namespace at each call, so this one follows a switch made by any process. */
export class MongoCollection<Body extends JsonObject> implements Collection<Body> {
  private readonly name: string;
  private readonly indexes: Readonly<Record<string, readonly string[]>>;
  private readonly indexed: ReadonlySet<string>;

  constructor(
    private readonly driver: DriverDocuments,
    private readonly spec: CollectionSpec,
  ) {
    this.name = spec.name;
    this.indexes = { ...spec.indexes, ...spec.unique };
    this.indexed = indexedFields(spec);
  }

  async get(id: string): Promise<Document<Body> | null> {
    const stored = await this.read(() => this.driver.findOne({ _id: id }));
    return stored && fromStored<Body>(this.name, stored);
  }

  async getAll(ids: readonly string[]): Promise<readonly Document<Body>[]> {
    if (ids.length > DOCUMENTS_PER_READ)
      throw new RangeError(`${this.name}: ${ids.length} documents in one read, ${DOCUMENTS_PER_READ} at most`);
    if (ids.length === 0) return [];
    // The read is one batch, as far as the server's batches reach.
    const options = { batchSize: ids.length + 1 };
    const found = await this.read(() => this.driver.find({ _id: { $in: [...ids] } }, options).toArray());
    return found.map(stored => fromStored<Body>(this.name, stored));
  }

  async put(document: Document<Body>): Promise<void> {
    const stored = this.toStored(document);
    await this.tryAgain(stored._id, async () => {
      await this.driver.replaceOne({ _id: stored._id }, stored, { upsert: true });
      return true;
    });
  }

  /**
   * An upsert by (id, older version) that finds no document inserts one. The id's own index refuses that where a
   * document stands.
   */
  async putNewer(document: Document<Body>): Promise<boolean> {
    const stored = this.toStored(document);
    const upsert = newerUpsert(stored);
    return this.tryAgain(
      stored._id,
      async () => {
        await this.driver.replaceOne(upsert.filter, stored, { upsert: true });
        return true;
      },
      async () => {
        const [older] = await this.stillOlder([stored]);
        return older === undefined;
      },
    );
  }

  /**
   * The write is not one transaction: documents written before an error stay, and the same call again writes the
   * others.
   */
  async putAllNewer(documents: readonly Document<Body>[]): Promise<void> {
    this.assertOneWrite(documents);
    let left = newestOfEach(documents.map(document => this.toStored(document)));
    for (let attempt = 1; left.length > 0; attempt++) {
      if (attempt > WRITE_TRIES) throw this.contended(left[0]?._id ?? '');
      const taken = await this.attempt(() => this.bulkUpsert(left));
      left = taken.length > 0 ? await this.stillOlder(taken) : [];
    }
  }

  async insert(document: Document<Body>): Promise<boolean> {
    const stored = this.toStored(document);
    try {
      await this.driver.insertOne(stored);
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw asPortError(this.name, error);
    }
  }

  /** As with `putAllNewer`, documents written before an error stay. */
  async insertAll(documents: readonly Document<Body>[]): Promise<readonly string[]> {
    this.assertOneWrite(documents);
    const stored = documents.map(document => this.toStored(document));
    if (stored.length === 0) return [];
    try {
      await this.driver.insertMany(stored, { ordered: false });
      return [];
    } catch (error) {
      const failures = error instanceof MongoBulkWriteError ? [error.writeErrors].flat() : [];
      if (failures.length === 0 || failures.some(({ code }) => code !== DUPLICATE_KEY))
        throw asPortError(this.name, error);
      return failures.map(({ index }) => (stored[index] as StoredDocument)._id);
    }
  }

  async replace(document: Document<Body>, expectedVersion: number): Promise<boolean> {
    const stored = this.toStored(document);
    const filter = { _id: stored._id, version: expectedVersion };
    const { matchedCount } = await this.attempt(() => this.driver.replaceOne(filter, stored));
    return matchedCount > 0;
  }

  async deleteUpTo(id: string, version: number): Promise<void> {
    await this.attempt(() => this.driver.deleteOne({ _id: id, version: { $lte: version } }));
  }

  async deleteAt(id: string, expectedVersion: number): Promise<boolean> {
    const filter = { _id: id, version: expectedVersion };
    const { deletedCount } = await this.attempt(() => this.driver.deleteOne(filter));
    return deletedCount > 0;
  }

  async list(query: ListQuery): Promise<readonly Document<Body>[]> {
    const fields = this.indexes[query.index];
    if (!fields) throw new RangeError(`${this.name} has no index ${query.index}`);
    sparseField(this.spec, query);
    const { filter, sort, hint, limit } = pageQuery(fields, query);
    // The page is one batch, as far as the server's batches reach: the next batch could come from after a switch.
    const projection = Object.fromEntries(omittedMembers(query).map(path => [`body.${path}`, 0]));
    const options = { sort: { ...sort }, hint: { ...hint }, limit, batchSize: limit, projection };
    const page = await this.read(() => this.driver.find(filter, options).toArray());
    return page.map(stored => fromStored<Body>(this.name, stored));
  }

  count(): Promise<number> {
    return this.read(() => this.driver.countDocuments({}));
  }

  private assertOneWrite({ length }: readonly unknown[]): void {
    if (length > DOCUMENTS_PER_WRITE)
      throw new RangeError(`${this.name}: ${length} documents in one write, ${DOCUMENTS_PER_WRITE} at most`);
  }

  private toStored(document: Document<Body>): StoredDocument {
    return toStored(this.name, document, this.indexed);
  }

  /** The documents whose id was taken. Throws DuplicateKey when another document holds a unique key of any. */
  private async bulkUpsert(documents: readonly StoredDocument[]): Promise<readonly StoredDocument[]> {
    const operations = documents.map((stored): AnyBulkWriteOperation<StoredDocument> => ({
      replaceOne: newerUpsert(stored),
    }));
    try {
      await this.driver.bulkWrite(operations, { ordered: false });
      return [];
    } catch (error) {
      if (!(error instanceof MongoBulkWriteError)) throw error;
      const failures = [error.writeErrors].flat();
      if (failures.length === 0) throw error;
      for (const { code, errmsg = '' } of failures) {
        if (code !== DUPLICATE_KEY) throw error;
        if (violatedIndex(errmsg) !== '_id_') throw new DuplicateKey(this.name, violatedIndex(errmsg));
      }
      return failures.map(({ index }) => documents[index] as StoredDocument);
    }
  }

  /** The documents whose standing document is older after all, or gone. */
  private async stillOlder(documents: readonly StoredDocument[]): Promise<readonly StoredDocument[]> {
    const ids = documents.map(({ _id }) => _id);
    const projection = { version: 1 } as const;
    const standing = await this.read(() => this.driver.find({ _id: { $in: ids } }, { projection }).toArray());
    const versions = new Map(standing.map(({ _id, version }) => [_id, version]));
    return documents.filter(({ _id, version }) => (versions.get(_id) ?? -Infinity) < version);
  }

  /**
   * Two upserts of one id at the same moment may both insert. The second is refused and finds a document at its next
   * try.
   */
  private async tryAgain(
    id: string,
    write: () => Promise<boolean>,
    isAnswered: () => Promise<boolean> = () => Promise.resolve(false),
  ): Promise<boolean> {
    for (let attempt = 1; attempt <= WRITE_TRIES; attempt++) {
      try {
        return await write();
      } catch (error) {
        if (!isIdTaken(error)) throw asPortError(this.name, error);
        if (await isAnswered()) return false;
      }
    }
    throw this.contended(id);
  }

  private contended(id: string): StoreUnavailable {
    return new StoreUnavailable(`MongoDB, ${this.name}/${id}: lost ${WRITE_TRIES} races against other writers`);
  }

  private async attempt<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw asPortError(this.name, error);
    }
  }

  private async read<T>(work: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await work();
      } catch (error) {
        if (!wasReplacedWhileRead(error) || attempt >= READ_TRIES) throw asPortError(this.name, error);
      }
    }
  }
}

function newerUpsert(stored: StoredDocument): {
  filter: { _id: string; version: { $lt: number } };
  replacement: StoredDocument;
  upsert: true;
} {
  return { filter: { _id: stored._id, version: { $lt: stored.version } }, replacement: stored, upsert: true };
}

function newestOfEach(documents: readonly StoredDocument[]): readonly StoredDocument[] {
  const newest = new Map<string, StoredDocument>();
  for (const document of documents) {
    const other = newest.get(document._id);
    if (!other || other.version < document.version) newest.set(document._id, document);
  }
  return [...newest.values()];
}
