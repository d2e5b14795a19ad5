import { randomBytes } from 'node:crypto';
import type { CollectionSpec } from '../../../kernel/ports/documents';
import type { EmbeddedFile } from '../../embedded-file/embedded-file';
import { keyExpression, presence } from './list-query';

const COLLECTION_PATTERN = /^[A-Za-z][A-Za-z0-9_.@-]{0,99}$/;
const FIELD_PATTERN = /^[a-z][a-z0-9_]{0,62}$/;
const INDEX_LIMIT = 32;
const TABLE_PREFIX = 'documents:';
const DROPPED_PREFIX = 'dropped:';
const DROP_STEP_ROWS = 1_000;

/** Throws RangeError for a text that is no collection's name. */
export function tableName(collection: string): string {
  if (!COLLECTION_PATTERN.test(collection)) throw new RangeError(`not a collection name: ${collection}`);
  return `${TABLE_PREFIX}${collection}`;
}

/** Throws RangeError on names that are not `snake_case`, on an index without fields, and on too many indexes. */
export function assertSpec(spec: CollectionSpec): void {
  tableName(spec.name);
  const indexes = [...Object.entries(spec.indexes), ...Object.entries(spec.unique ?? {})];
  if (indexes.length > INDEX_LIMIT) throw new RangeError(`${spec.name}: more than ${INDEX_LIMIT} indexes`);
  for (const [name, fields] of indexes) {
    if (!FIELD_PATTERN.test(name)) throw new RangeError(`${spec.name}: not an index name: ${name}`);
    if (spec.unique?.[name] && spec.indexes[name]) throw new RangeError(`${spec.name}: two indexes are named ${name}`);
    if (fields.length === 0) throw new RangeError(`${spec.name}: the index ${name} has no fields`);
    const wrong = fields.find(field => !FIELD_PATTERN.test(field));
    if (wrong !== undefined)
      throw new RangeError(`${spec.name}: the index ${name} names ${wrong}, which is not a field name`);
  }
  for (const [name, field] of Object.entries(spec.sparse ?? {})) {
    if (!spec.indexes[name]?.includes(field)) throw new RangeError(`${spec.name}: no index ${name} has ${field}`);
  }
}

/**
 * Makes the table and its indexes where they are missing, and makes indexes anew whose definition differs from the
 * spec. SQLite cannot rename an index. So its full name is a random part, which a switch of collections keeps, and its
 * own name.
 */
export function createCollection(file: EmbeddedFile, spec: CollectionSpec): void {
  const table = tableName(spec.name);
  file.database.exec(
    `create table if not exists "${table}" (id text primary key, version integer not null, body text not null)`,
  );
  const standing = file
    .statement("select name, sql from sqlite_schema where type = 'index' and tbl_name = ? and sql is not null")
    .all(table) as [string, string][];
  // The primary key is the index by id: a second one would only be written as well.
  const indexes = Object.entries(spec.indexes).filter(([, fields]) => fields.join() !== 'id');
  const wanted = new Map([
    ...indexes.map(([name, fields]) => [name, indexDefinition('index', fields, spec.sparse?.[name])] as const),
    ...Object.entries(spec.unique ?? {}).map(
      ([name, fields]) => [name, indexDefinition('unique index', fields)] as const,
    ),
  ]);
  for (const [fullName, sql] of standing) {
    const name = indexName(fullName);
    const definition = wanted.get(name);
    if (!definition) continue;
    if (isDefinedAs(sql, definition)) wanted.delete(name);
    else file.database.exec(`drop index "${fullName}"`);
  }
  for (const [name, { kind, keys }] of wanted) {
    file.database.exec(`create ${kind} "${randomBytes(6).toString('hex')}:${name}" on "${table}" ${keys}`);
  }
}

/** The index's own name in its full one. */
export function indexName(fullName: string): string {
  return fullName.slice(fullName.indexOf(':') + 1);
}

/**
 * Hides the table at once and answers its new name; null when there is none. The rows are deleted in steps afterwards,
 * since deleting a big table at once would stop all other work.
 */
export function hideTable(file: EmbeddedFile, collection: string): string | null {
  const table = tableName(collection);
  if (!hasTable(file, table)) return null;
  const hidden = `${DROPPED_PREFIX}${randomBytes(6).toString('hex')}`;
  file.database.exec(`alter table "${table}" rename to "${hidden}"`);
  return hidden;
}

/** Throws RangeError when there is no collection `from`. */
export function renameCollection(file: EmbeddedFile, from: string, to: string): void {
  if (!hasTable(file, tableName(from))) throw new RangeError(`there is no collection ${from}`);
  file.database.exec(`alter table "${tableName(from)}" rename to "${tableName(to)}"`);
}

function hasTable(file: EmbeddedFile, table: string): boolean {
  return file.statement("select 1 from sqlite_schema where type = 'table' and name = ?").get(table) !== undefined;
}

/** Hidden tables, including those of a process that ended before they were empty. */
export function hiddenTables(file: EmbeddedFile): readonly string[] {
  const sql = "select name from sqlite_schema where type = 'table' and name glob ?";
  return (file.read(() => file.statement(sql).all(`${DROPPED_PREFIX}*`)) as [string][]).map(([name]) => name);
}

export async function dropHidden(file: EmbeddedFile, table: string): Promise<void> {
  const some = `delete from "${table}" where rowid in (select rowid from "${table}" limit ${DROP_STEP_ROWS})`;
  for (;;) {
    const isGone = await file.write(() => {
      if (file.statement(some).run().changes > 0) return false;
      file.database.exec(`drop table "${table}"`);
      return true;
    });
    if (isGone) return;
  }
}

type IndexDefinition = { readonly kind: string; readonly keys: string };

function indexDefinition(kind: string, fields: readonly string[], sparse?: string): IndexDefinition {
  const where = sparse === undefined ? '' : ` where ${presence(sparse)}`;
  return { kind, keys: `(${fields.map(keyExpression).join(', ')})${where}` };
}

function isDefinedAs(sql: string, { kind, keys }: IndexDefinition): boolean {
  return sql.toLowerCase().startsWith(`create ${kind} `) && sql.endsWith(` ${keys}`);
}
