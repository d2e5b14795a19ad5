import type { JsonObject, JsonValue } from '../../src/vocabulary/json';
import {
  DOCUMENTS_PER_READ,
  DuplicateKey,
  omittedMembers,
  sparseField,
  type Collection,
  type CollectionSpec,
  type Document,
  type Documents,
  type ListQuery,
} from '../../src/kernel/ports/documents';
import { assertSpec } from '../../src/platform/documents/embedded/collection-schema';
import { assertJson } from '../../src/kernel/strict-json';
import { deepFrozen } from './deep-frozen';
import { withoutMembers } from './without-members';

/** A longer page is cut to this, as an engine does. */
const PAGE_LIMIT = 1_000;

type Table = { spec: CollectionSpec; readonly rows: Map<string, Document> };

/**
 * The documents port in memory, with unique indexes and list paging. A collection is found by its name at each call, as
 * after a switch.
 */
export class MemoryDocuments implements Documents {
  private readonly tables = new Map<string, Table>();

  async open<Body extends JsonObject>(spec: CollectionSpec): Promise<Collection<Body>> {
    assertSpec(spec);
    const table = this.tables.get(spec.name);
    if (table) table.spec = spec;
    else this.tables.set(spec.name, { spec, rows: new Map() });
    return new MemoryCollection<Body>(spec, () => this.table(spec.name));
  }

  async switch(building: string, live: string): Promise<void> {
    if (building === live) throw new RangeError(`${building} cannot take its own place`);
    const { spec, rows } = this.table(building);
    this.tables.set(live, { spec: { ...spec, name: live }, rows });
    this.tables.delete(building);
  }

  drop(name: string): Promise<void> {
    this.tables.delete(name);
    return Promise.resolve();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  private table(name: string): Table {
    const table = this.tables.get(name);
    if (!table) throw new Error(`no collection named ${name}`);
    return table;
  }
}

class MemoryCollection<Body extends JsonObject> implements Collection<Body> {
  constructor(
    private readonly spec: CollectionSpec,
    private readonly table: () => Table,
  ) {}

  async get(id: string): Promise<Document<Body> | null> {
    return this.row(id);
  }

  async getAll(ids: readonly string[]): Promise<readonly Document<Body>[]> {
    if (ids.length > DOCUMENTS_PER_READ) throw new RangeError(`${ids.length} documents in one read`);
    return [...new Set(ids)].flatMap(id => this.row(id) ?? []);
  }

  async put(document: Document<Body>): Promise<void> {
    this.write(checked(document));
  }

  async putNewer(document: Document<Body>): Promise<boolean> {
    const row = checked(document);
    return this.isNewer(row) && this.write(row);
  }

  async putAllNewer(documents: readonly Document<Body>[]): Promise<void> {
    const checkedRows = documents.map(checked);
    const { rows } = this.table();
    const before = checkedRows.map(({ id }) => [id, rows.get(id)] as const);
    try {
      for (const row of checkedRows) if (this.isNewer(row)) this.write(row);
    } catch (error) {
      for (const [id, row] of before) {
        if (row) rows.set(id, row);
        else rows.delete(id);
      }
      throw error;
    }
  }

  async insert(document: Document<Body>): Promise<boolean> {
    const row = checked(document);
    if (this.table().rows.has(row.id) || this.violated(row) !== null) return false;
    return this.write(row);
  }

  async insertAll(documents: readonly Document<Body>[]): Promise<readonly string[]> {
    const taken: string[] = [];
    for (const document of documents) if (!(await this.insert(document))) taken.push(document.id);
    return taken;
  }

  async replace(document: Document<Body>, expectedVersion: number): Promise<boolean> {
    const row = checked(document);
    return this.table().rows.get(row.id)?.version === expectedVersion && this.write(row);
  }

  async deleteUpTo(id: string, version: number): Promise<void> {
    const { rows } = this.table();
    if ((rows.get(id)?.version ?? Infinity) <= version) rows.delete(id);
  }

  async deleteAt(id: string, expectedVersion: number): Promise<boolean> {
    const { rows } = this.table();
    return rows.get(id)?.version === expectedVersion && rows.delete(id);
  }

  async list(query: ListQuery): Promise<readonly Document<Body>[]> {
    const fields = { ...this.spec.indexes, ...this.spec.unique }[query.index];
    if (!fields) throw new RangeError(`${this.spec.name} has no index ${query.index}`);
    sparseField(this.spec, query);
    const bound = Object.keys(query.equals).length;
    const unbound = fields.slice(0, bound).find(field => !(field in query.equals));
    if (unbound !== undefined || bound > fields.length) {
      throw new RangeError(`${query.index}: equals must bind its first fields`);
    }
    if (!Number.isSafeInteger(query.limit) || query.limit < 1) throw new RangeError(`the limit is ${query.limit}`);
    const rest = fields.slice(bound);
    const sign = query.descending ? -1 : 1;
    if (query.range && rest.length === 0) throw new RangeError(`${query.index}: range has no field left`);
    const equals = cursorKeys(query.equals, fields.slice(0, bound));
    const after = query.after && cursorKeys(query.after, rest);
    const found: { readonly row: Document; readonly keys: Keys }[] = [];
    for (const row of this.table().rows.values()) {
      if (!isEqual(row, fields, equals) || !isInRange(row, rest[0] ?? '', query)) continue;
      const keys = rowKeys(row, rest);
      if (!after || sign * compareAll(keys, after) > 0) found.push({ row, keys });
    }
    const omitted = omittedMembers(query);
    return found
      .sort((a, b) => sign * compareAll(a.keys, b.keys))
      .slice(0, Math.min(query.limit, PAGE_LIMIT))
      .map(({ row }) => (omitted.length > 0 ? { ...row, body: withoutMembers(copyOf(row.body), omitted) } : row))
      .map(row => row as Document<Body>);
  }

  async count(): Promise<number> {
    return this.table().rows.size;
  }

  private isNewer(row: Document): boolean {
    const standing = this.table().rows.get(row.id);
    return !standing || standing.version < row.version;
  }

  private write(row: Document): true {
    const violated = this.violated(row);
    if (violated !== null) throw new DuplicateKey(this.spec.name, violated);
    this.table().rows.set(row.id, row);
    return true;
  }

  private violated(row: Document): string | null {
    for (const [index, fields] of Object.entries(this.spec.unique ?? {})) {
      const keys = rowKeys(row, fields);
      for (const other of this.table().rows.values()) {
        if (other.id !== row.id && isEqual(other, fields, keys)) return index;
      }
    }
    return null;
  }

  private row(id: string): Document<Body> | null {
    return (this.table().rows.get(id) as Document<Body> | undefined) ?? null;
  }
}

/**
 * A copy that nobody can change, so that every reader is given this very one. Throws TypeError on a value that JSON
 * would lose.
 */
function checked({ id, version, body }: Document): Document {
  if (id === '') throw new RangeError('not a document id: ""');
  if (!Number.isSafeInteger(version)) throw new RangeError(`${id}: the version is no whole number: ${version}`);
  assertJson(body, id);
  return deepFrozen({ id, version, body: copyOf(body) });
}

function copyOf<Value extends JsonObject>(value: Value): Value {
  return JSON.parse(JSON.stringify(value)) as Value;
}

/** Null, also for an absent value, before numbers, and numbers before texts; `true` is 1 and `false` 0. */
function ordered(value: JsonValue | undefined): string | number {
  if (value === null || value === undefined) return -Infinity;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value === 'string' || typeof value === 'number') return value;
  throw new RangeError('an index holds texts, numbers, booleans and null only');
}

/** From here on the order of UTF-16 units is not that of bytes. */
const HIGH_UNIT = /[\ud800-\uffff]/;

function compare(a: string | number, b: string | number): number {
  if (a === b) return 0;
  if (typeof a === 'string' && typeof b === 'string') {
    if (HIGH_UNIT.test(a) || HIGH_UNIT.test(b)) return Buffer.compare(Buffer.from(a), Buffer.from(b));
    return a < b ? -1 : 1;
  }
  if (typeof a === 'number' && typeof b === 'number') return a < b ? -1 : 1;
  return typeof a === 'number' ? -1 : 1;
}

type Keys = readonly (string | number)[];

function rowKey(row: Document, field: string): string | number {
  return field === 'id' ? row.id : ordered(row.body[field]);
}

function rowKeys(row: Document, fields: readonly string[]): Keys {
  return fields.map(field => rowKey(row, field));
}

function cursorKeys(after: Readonly<Record<string, JsonValue>>, fields: readonly string[]): Keys {
  return fields.map(field => {
    if (!(field in after)) throw new RangeError(`after lacks ${field}`);
    return ordered(after[field]);
  });
}

/** The row's first fields hold these keys. Each row of a collection is asked, so nothing is made on the way. */
function isEqual(row: Document, fields: readonly string[], keys: Keys): boolean {
  for (let place = 0; place < keys.length; place++) {
    if (rowKey(row, fields[place] as string) !== keys[place]) return false;
  }
  return true;
}

function compareAll(a: Keys, b: Keys): number {
  for (const [place, key] of a.entries()) {
    const difference = compare(key, b[place] as string | number);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Both ends belong to the range; an open end stops where the other kind of value begins. */
function isInRange(row: Document, field: string, { range }: ListQuery): boolean {
  if (range?.from === undefined && range?.to === undefined) return true;
  const value = rowKey(row, field);
  const kind = typeof (range.from ?? range.to);
  if (typeof value !== kind || value === -Infinity) return false;
  const isFrom = range.from === undefined || compare(value, range.from) >= 0;
  return isFrom && (range.to === undefined || compare(value, range.to) <= 0);
}
