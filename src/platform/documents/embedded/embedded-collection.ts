import { invariant } from '../../../kernel/invariant';
import type { JsonObject } from '../../../vocabulary/json';
import {
  DOCUMENTS_PER_READ,
  DuplicateKey,
  sparseField,
  type Collection,
  type CollectionSpec,
  type Document,
  type ListQuery,
} from '../../../kernel/ports/documents';
import type { EmbeddedFile } from '../../embedded-file/embedded-file';
import { isConstraintViolation } from '../../embedded-file/sqlite-errors';
import { assertJson } from '../../../kernel/strict-json';
import { indexName, tableName } from './collection-schema';
import { pageQuery } from './list-query';

const BODY_BYTES_LIMIT = 4 * 1_024 * 1_024;
const ID_LENGTH_LIMIT = 512;
const DOCUMENTS_PER_WRITE = 10_000;

type Row = readonly [id: string, version: number, body: string];

/** Statements name the table anew each time, so they follow a switch made by any process. */
export class EmbeddedCollection<Body extends JsonObject> implements Collection<Body> {
  private readonly name: string;
  private readonly table: string;
  private readonly indexes: Readonly<Record<string, readonly string[]>>;

  constructor(
    private readonly file: EmbeddedFile,
    private readonly spec: CollectionSpec,
  ) {
    this.name = spec.name;
    this.table = `"${tableName(spec.name)}"`;
    this.indexes = { ...spec.indexes, ...spec.unique };
  }

  async get(id: string): Promise<Document<Body> | null> {
    const row = await this.read(`select id, version, body from ${this.table} where id = ?`, [id]);
    return row[0] ?? null;
  }

  async getAll(ids: readonly string[]): Promise<readonly Document<Body>[]> {
    if (ids.length > DOCUMENTS_PER_READ)
      throw new RangeError(`${this.name}: ${ids.length} documents in one read, ${DOCUMENTS_PER_READ} at most`);
    if (ids.length === 0) return [];
    // One parameter, so that one statement serves any number of ids.
    const sql = `select id, version, body from ${this.table} where id in (select value from json_each(?))`;
    return this.read(sql, [JSON.stringify(ids)]);
  }

  async put(document: Document<Body>): Promise<void> {
    await this.writeOne(`${this.upsert()}`, this.row(document));
  }

  async putNewer(document: Document<Body>): Promise<boolean> {
    return (await this.writeOne(this.upsertNewer(), this.row(document))) > 0;
  }

  async putAllNewer(documents: readonly Document<Body>[]): Promise<void> {
    this.assertOneWrite(documents);
    const rows = documents.map(document => this.row(document));
    const sql = this.upsertNewer();
    if (rows.length === 0) return;
    await this.file.write(() => {
      const put = this.file.statement(sql);
      for (const row of rows) this.unlessDuplicate(() => put.run(...row));
    });
  }

  async insert(document: Document<Body>): Promise<boolean> {
    return (await this.writeOne(this.insertion(), this.row(document))) > 0;
  }

  async insertAll(documents: readonly Document<Body>[]): Promise<readonly string[]> {
    this.assertOneWrite(documents);
    const rows = documents.map(document => this.row(document));
    if (rows.length === 0) return [];
    return this.file.write(() => {
      const insert = this.file.statement(this.insertion());
      return rows.flatMap(row => (insert.run(...row).changes > 0 ? [] : [row[0]]));
    });
  }

  async replace(document: Document<Body>, expectedVersion: number): Promise<boolean> {
    const [id, version, body] = this.row(document);
    const sql = `update ${this.table} set version = ?, body = ? where id = ? and version = ?`;
    return (await this.writeOne(sql, [version, body, id, expectedVersion])) > 0;
  }

  async deleteUpTo(id: string, version: number): Promise<void> {
    await this.writeOne(`delete from ${this.table} where id = ? and version <= ?`, [id, version]);
  }

  async deleteAt(id: string, expectedVersion: number): Promise<boolean> {
    const sql = `delete from ${this.table} where id = ? and version = ?`;
    return (await this.writeOne(sql, [id, expectedVersion])) > 0;
  }

  async list(query: ListQuery): Promise<readonly Document<Body>[]> {
    const fields = this.indexes[query.index];
    if (!fields) throw new RangeError(`${this.name} has no index ${query.index}`);
    const { sql, parameters } = pageQuery(tableName(this.name), fields, query, sparseField(this.spec, query));
    return this.read(sql, parameters);
  }

  async count(): Promise<number> {
    const sql = `select count(*) from ${this.table}`;
    const [count] = (await this.answer(() => this.file.statement(sql).get())) as [number];
    return count;
  }

  private assertOneWrite({ length }: readonly unknown[]): void {
    if (length > DOCUMENTS_PER_WRITE)
      throw new RangeError(`${this.name}: ${length} documents in one write, ${DOCUMENTS_PER_WRITE} at most`);
  }

  private insertion(): string {
    return `insert into ${this.table} (id, version, body) values (?, ?, ?) on conflict do nothing`;
  }

  private upsert(): string {
    return `insert into ${this.table} (id, version, body) values (?, ?, ?)
      on conflict (id) do update set version = excluded.version, body = excluded.body`;
  }

  private upsertNewer(): string {
    return `${this.upsert()} where excluded.version > version`;
  }

  private async read(sql: string, parameters: readonly (string | number)[]): Promise<readonly Document<Body>[]> {
    const rows = (await this.answer(() => this.file.statement(sql).all(...parameters))) as Row[];
    return rows.map(([id, version, body]) => ({ id, version, body: JSON.parse(body) as Body }));
  }

  /** Reads are synchronous inside, and their errors must become rejections. */
  private answer<T>(work: () => T): Promise<T> {
    return new Promise(resolve => resolve(this.file.read(work)));
  }

  /**
   * A single statement that fails has written nothing. So its duplicate is answered, which spares the batch the slow
   * way.
   */
  private async writeOne(sql: string, parameters: readonly (string | number)[]): Promise<number> {
    const outcome = await this.file.write(() => {
      try {
        return this.unlessDuplicate(() => this.file.statement(sql).run(...parameters).changes);
      } catch (error) {
        if (error instanceof DuplicateKey) return error;
        throw error;
      }
    });
    if (outcome instanceof DuplicateKey) throw outcome;
    return outcome;
  }

  private unlessDuplicate<T>(write: () => T): T {
    try {
      return write();
    } catch (error) {
      const violated = isConstraintViolation(error) && /index '([^']+)'/.exec(error.message)?.[1];
      if (!violated) throw error;
      throw new DuplicateKey(this.name, indexName(violated));
    }
  }

  private row({ id, version, body }: Document<Body>): Row {
    if (id === '' || id.length > ID_LENGTH_LIMIT) throw new RangeError(`${this.name}: not a document id: "${id}"`);
    if (!Number.isSafeInteger(version))
      throw new RangeError(`${this.name}/${id}: the version is no whole number: ${version}`);
    assertJson(body, `${this.name}/${id}`);
    const text = JSON.stringify(body);
    invariant(text.startsWith('{'), `${this.name}/${id}: the body is no object`);
    if (Buffer.byteLength(text) > BODY_BYTES_LIMIT)
      throw new RangeError(`${this.name}/${id} is longer than ${BODY_BYTES_LIMIT} bytes`);
    return [id, version, text];
  }
}
