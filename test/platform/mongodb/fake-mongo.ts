import { BSON, MongoBulkWriteError, MongoServerError, type BulkWriteResult, type Db } from 'mongodb';
import { withoutMembers } from '../../support/without-members';

type Row = Record<string, unknown> & { _id: string };
type Index = { name: string; key: Record<string, 1>; unique?: boolean };
type Criteria = Record<string, unknown>;

/** As much of a MongoDB database as the adapter uses, with the server's comparison rules and the driver's own BSON. */
export class FakeMongo {
  readonly tables = new Map<string, { rows: Map<string, Uint8Array>; indexes: Index[] }>();
  /** Called before each write with the name of the call; an error thrown here is the call's. */
  beforeWrite: (call: string) => void = () => undefined;

  asDb(): Db {
    return this as unknown as Db;
  }

  readonly databaseName = 'fake';

  async createCollection(name: string): Promise<void> {
    if (this.tables.has(name)) throw serverError(48, 'collection already exists');
    this.tables.set(name, { rows: new Map(), indexes: [{ name: '_id_', key: { _id: 1 } }] });
  }

  async renameCollection(from: string, to: string): Promise<void> {
    const table = this.tables.get(from);
    if (!table) throw serverError(26, 'source namespace does not exist');
    this.tables.set(to, table);
    this.tables.delete(from);
  }

  async dropCollection(name: string): Promise<boolean> {
    return this.tables.delete(name);
  }

  collection(name: string): FakeCollection {
    return new FakeCollection(this, name);
  }
}

class FakeCollection {
  constructor(
    private readonly mongo: FakeMongo,
    private readonly name: string,
  ) {}

  async indexes(): Promise<Index[]> {
    return this.table().indexes;
  }

  async createIndexes(indexes: Index[]): Promise<void> {
    this.table().indexes.push(...indexes);
  }

  async dropIndex(name: string): Promise<void> {
    const { indexes } = this.table();
    indexes.splice(
      indexes.findIndex(index => index.name === name),
      1,
    );
  }

  async findOne(criteria: Criteria): Promise<Row | null> {
    return this.rows(criteria).find(row => isMatch(row, criteria)) ?? null;
  }

  find(criteria: Criteria, options: FindOptions = {}): { toArray(): Promise<Row[]> } {
    return { toArray: async () => this.select(criteria, options) };
  }

  async countDocuments(): Promise<number> {
    return this.rows().length;
  }

  async insertOne(row: Row): Promise<void> {
    this.mongo.beforeWrite('insertOne');
    this.insert(row);
  }

  async insertMany(rows: readonly Row[], options: { ordered: boolean }): Promise<void> {
    this.mongo.beforeWrite('insertMany');
    this.each(rows, options, row => this.insert(row));
  }

  async replaceOne(criteria: Criteria, row: Row, options?: { upsert?: boolean }): Promise<{ matchedCount: number }> {
    this.mongo.beforeWrite('replaceOne');
    return { matchedCount: this.replace(criteria, row, options?.upsert ?? false) };
  }

  async deleteOne(criteria: Criteria): Promise<{ deletedCount: number }> {
    this.mongo.beforeWrite('deleteOne');
    const standing = this.rows(criteria).find(row => isMatch(row, criteria));
    return { deletedCount: standing && this.table().rows.delete(standing._id) ? 1 : 0 };
  }

  async bulkWrite(
    operations: { replaceOne: { filter: Criteria; replacement: Row; upsert: boolean } }[],
    options: { ordered: boolean },
  ): Promise<void> {
    this.mongo.beforeWrite('bulkWrite');
    this.each(operations, options, ({ replaceOne: { filter, replacement, upsert } }) =>
      this.replace(filter, replacement, upsert),
    );
  }

  private each<Item>(items: readonly Item[], options: { ordered: boolean }, write: (item: Item) => unknown): void {
    if (options.ordered) throw new Error('an ordered bulk write stops at its first error');
    const writeErrors: { index: number; code: number; errmsg: string }[] = [];
    items.forEach((item, index) => {
      try {
        write(item);
      } catch (error) {
        writeErrors.push({ index, code: 11_000, errmsg: (error as Error).message });
      }
    });
    if (writeErrors.length === 0) return;
    const failure = { message: 'write operation failed', code: 11_000, writeErrors };
    throw new MongoBulkWriteError(failure as never, {} as BulkWriteResult);
  }

  private select(criteria: Criteria, { sort = {}, hint, limit = Infinity, projection = {} }: FindOptions): Row[] {
    const isKnown = (index: Index): boolean => JSON.stringify(index.key) === JSON.stringify(hint);
    if (hint && this.mongo.tables.has(this.name) && !this.table().indexes.some(isKnown)) {
      throw serverError(2, 'hint provided does not correspond to an existing index');
    }
    const found = this.rows().filter(row => isMatch(row, criteria));
    const page = found.sort((a, b) => compareBy(sort, a, b)).slice(0, limit);
    // A projection that names what is answered, and not what is left out, spares the real server bytes alone.
    const omitted = Object.keys(projection).filter(path => projection[path] === 0);
    return page.map(row => withoutMembers(row, omitted));
  }

  private replace(criteria: Criteria, row: Row, upsert: boolean): number {
    const standing = this.rows(criteria).find(other => isMatch(other, criteria));
    if (standing) this.write(row);
    else if (upsert) this.insert(row);
    return standing ? 1 : 0;
  }

  private insert(row: Row): void {
    if (this.table().rows.has(row._id)) throw duplicateKey('_id_');
    this.write(row);
  }

  private write(row: Row): void {
    for (const { name, key, unique } of this.table().indexes) {
      if (!unique) continue;
      const isTaken = this.rows().some(other => other._id !== row._id && compareBy(key, other, row) === 0);
      if (isTaken) throw duplicateKey(name);
    }
    this.table().rows.set(row._id, BSON.serialize(row));
  }

  private rows({ _id }: Criteria = {}): Row[] {
    const rows = this.mongo.tables.get(this.name)?.rows ?? new Map<string, Uint8Array>();
    const found = typeof _id === 'string' ? [rows.get(_id)] : [...rows.values()];
    return found.flatMap(bytes => (bytes ? [BSON.deserialize(bytes) as Row] : []));
  }

  private table(): { rows: Map<string, Uint8Array>; indexes: Index[] } {
    const table = this.mongo.tables.get(this.name);
    if (table) return table;
    const made = { rows: new Map<string, Uint8Array>(), indexes: [{ name: '_id_', key: { _id: 1 as const } }] };
    this.mongo.tables.set(this.name, made);
    return made;
  }
}

type FindOptions = { sort?: Record<string, 1 | -1>; hint?: object; limit?: number; projection?: Record<string, 0 | 1> };

export function serverError(code: number, message: string): MongoServerError {
  return new MongoServerError({ message, code });
}

export function duplicateKey(index: string): MongoServerError {
  return serverError(11_000, `E11000 duplicate key error collection: fake.one index: ${index} dup key: { x: 1 }`);
}

function isMatch(row: Row, criteria: Criteria): boolean {
  return Object.entries(criteria).every(([name, condition]) => {
    if (name === '$and') return (condition as Criteria[]).every(one => isMatch(row, one));
    if (name === '$or') return (condition as Criteria[]).some(one => isMatch(row, one));
    const value = valueAt(row, name);
    const operators = typeof condition === 'object' && condition !== null ? condition : { $eq: condition };
    return Object.entries(operators).every(([operator, operand]) => isTrue(operator, value, operand));
  });
}

/** Ranges find values of the operand's own kind only. */
function isTrue(operator: string, value: unknown, operand: unknown): boolean {
  if (operator === '$in') return (operand as unknown[]).some(one => compare(value, one) === 0);
  const difference = compare(value, operand);
  if (operator === '$eq') return difference === 0;
  if (kind(value) !== kind(operand)) return false;
  if (operator === '$gt') return difference > 0;
  if (operator === '$gte') return difference >= 0;
  if (operator === '$lt') return difference < 0;
  if (operator === '$lte') return difference <= 0;
  throw new Error(`the fake knows no ${operator}`);
}

function compareBy(sort: Record<string, 1 | -1>, a: Row, b: Row): number {
  for (const [path, direction] of Object.entries(sort)) {
    const difference = compare(valueAt(a, path), valueAt(b, path));
    if (difference !== 0) return direction * difference;
  }
  return 0;
}

function compare(a: unknown, b: unknown): number {
  if (kind(a) !== kind(b)) return kind(a) - kind(b);
  if (typeof a === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b as string));
  return Number(a ?? 0) - Number(b ?? 0) || 0;
}

/** The server's order of types. */
function kind(value: unknown): number {
  return value === null || value === undefined ? 0 : ['number', 'string', 'boolean'].indexOf(typeof value) + 1;
}

function valueAt(row: Row, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => (value as Criteria | undefined)?.[name], row);
}
