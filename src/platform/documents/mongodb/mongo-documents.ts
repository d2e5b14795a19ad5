import { MongoClient, type Db, type MongoClientOptions } from 'mongodb';
import type { JsonObject } from '../../../vocabulary/json';
import type { Collection, CollectionSpec, Documents } from '../../../kernel/ports/documents';
import { hideCredentials } from '../../logging/redaction';
import { assertCollectionName, assertSpec, planIndexes } from './index-plan';
import { MongoCollection } from './mongo-collection';
import { asPortError, isNamespaceExists, isNamespaceNotFound } from './mongo-errors';
import type { StoredDocument } from './stored-document';

const DEFAULT_DATABASE = 'quittance';
/** The database is the path of the URL. */
const DATABASE_PATTERN = /^mongodb(\+srv)?:\/\/[^/]+\/[^?]/;

/** The options on which correctness depends; the URL cannot change them. */
const FIXED_OPTIONS: MongoClientOptions = {
  // An answer means that a majority has the write on disk: no election takes it back.
  writeConcern: { w: 'majority', journal: true, wtimeoutMS: 10_000 },
  readConcernLevel: 'majority',
  readPreference: 'primary',
  retryWrites: true,
  retryReads: true,
  ignoreUndefined: false,
};

/** Each option holds unless the URL sets it otherwise. */
const DEFAULT_OPTIONS: MongoClientOptions = {
  appName: 'quittance',
  serverSelectionTimeoutMS: 5_000,
  connectTimeoutMS: 5_000,
  socketTimeoutMS: 30_000,
  waitQueueTimeoutMS: 10_000,
  maxPoolSize: 64,
};

/** Collections in a MongoDB replica set, version 5 or later. */
export class MongoDocuments implements Documents {
  constructor(
    private readonly client: Pick<MongoClient, 'close'>,
    private readonly db: Db,
  ) {}

  /** Throws RangeError on a bad URL, without repeating its password, and StoreUnavailable when no server answers. */
  static async connect(url: string): Promise<MongoDocuments> {
    const client = newClient(url);
    const db = DATABASE_PATTERN.test(url) ? client.db() : client.db(DEFAULT_DATABASE);
    try {
      await client.connect();
      await db.command({ ping: 1 });
    } catch (error) {
      await client.close().catch(() => undefined);
      throw asPortError(db.databaseName, error);
    }
    return new MongoDocuments(client, db);
  }

  async open<Body extends JsonObject>(spec: CollectionSpec): Promise<Collection<Body>> {
    assertSpec(spec);
    await this.attempt(spec.name, async () => {
      await this.makeCollection(spec.name);
      await this.makeIndexes(spec);
    });
    return new MongoCollection<Body>(this.db.collection<StoredDocument>(spec.name), spec);
  }

  /** The server renames at one instant. Throws RangeError when there is no collection `building`. */
  async switch(building: string, live: string): Promise<void> {
    assertCollectionName(building);
    assertCollectionName(live);
    if (building === live) throw new RangeError(`${building} cannot take its own place`);
    await this.attempt(building, async () => {
      try {
        await this.db.renameCollection(building, live, { dropTarget: true });
      } catch (error) {
        if (!isNamespaceNotFound(error)) throw error;
        throw new RangeError(`there is no collection ${building}`, { cause: error });
      }
    });
  }

  async drop(name: string): Promise<void> {
    assertCollectionName(name);
    await this.attempt(name, async () => {
      try {
        await this.db.dropCollection(name);
      } catch (error) {
        if (!isNamespaceNotFound(error)) throw error;
      }
    });
  }

  async close(): Promise<void> {
    await this.client.close();
  }

  private async makeCollection(name: string): Promise<void> {
    try {
      await this.db.createCollection(name);
    } catch (error) {
      if (!isNamespaceExists(error)) throw error;
    }
  }

  private async makeIndexes(spec: CollectionSpec): Promise<void> {
    const collection = this.db.collection(spec.name);
    const { drop, create } = planIndexes(spec, await collection.indexes());
    for (const name of drop) await collection.dropIndex(name);
    if (create.length > 0)
      await collection.createIndexes(create.map(({ key, ...index }) => ({ ...index, key: { ...key } })));
  }

  private async attempt(collection: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      throw asPortError(collection, error);
    }
  }
}

/** Making a client only reads its URL. */
function newClient(url: string): MongoClient {
  try {
    const query = url.slice(url.indexOf('?') + 1).toLowerCase();
    const given = new Set(query.split('&').map(pair => pair.split('=')[0]));
    const defaults = Object.entries(DEFAULT_OPTIONS).filter(([name]) => !given.has(name.toLowerCase()));
    return new MongoClient(url, { ...Object.fromEntries(defaults), ...FIXED_OPTIONS });
  } catch (error) {
    const shown = hideCredentials(url);
    // eslint-disable-next-line preserve-caught-error -- the parser's error may hold the password.
    throw new RangeError(
      `not a MongoDB URL, which is mongodb://host:port/database: ${shown}: ${(error as Error).message}`,
    );
  }
}
