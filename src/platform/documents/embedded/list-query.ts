import type { JsonValue } from '../../../kernel/json';
import type { ListQuery } from '../../../kernel/ports/documents';

/** A longer page is cut to this. */
export const PAGE_LIMIT = 1_000;

/** Sorts before every number and text, as JSON has no such number; a null inside an index could be neither compared nor paged by. */
const NULL_KEY = -Infinity;
const NULL_KEY_SQL = '-9e999';

type SqlValue = string | number;
export type PageQuery = { readonly sql: string; readonly parameters: readonly SqlValue[] };

/** The indexed expression of a field: a query must name it in these very words. `true` is 1 and `false` 0 in it. */
export function keyExpression(field: string): string {
  return field === 'id' ? 'id' : `ifnull(json_extract(body, '$.${field}'), ${NULL_KEY_SQL})`;
}

/**
 * One page of an index. What `equals` binds is not named in the order, or SQLite would sort by itself what the index has in order.
 * Throws RangeError on a query that the index cannot answer.
 */
export function pageQuery(table: string, fields: readonly string[], query: ListQuery): PageQuery {
  const bound = Object.keys(query.equals).length;
  const conditions: string[] = [];
  const parameters: SqlValue[] = [];
  for (const field of fields.slice(0, bound)) {
    if (!(field in query.equals))
      throw mismatch(query, `equals must bind its first fields, and ${field} is one of them`);
    conditions.push(`${keyExpression(field)} = ?`);
    parameters.push(keyValue(query.equals[field] as JsonValue, query, field));
  }
  const rest = fields.slice(bound);
  if (bound > fields.length) throw mismatch(query, `equals binds ${bound} fields of ${fields.length}`);
  addRange(query, rest, conditions, parameters);
  addAfter(query, rest, conditions, parameters);
  if (!Number.isSafeInteger(query.limit) || query.limit < 1) throw mismatch(query, `the limit is ${query.limit}`);
  const order = rest.map(field => `${keyExpression(field)} ${query.descending ? 'desc' : 'asc'}`);
  const where = conditions.length > 0 ? ` where ${conditions.join(' and ')}` : '';
  const orderBy = order.length > 0 ? ` order by ${order.join(', ')}` : '';
  const sql = `select id, version, body from "${table}"${where}${orderBy} limit ?`;
  return { sql, parameters: [...parameters, Math.min(query.limit, PAGE_LIMIT)] };
}

/** Both ends belong to the range. An open end stops where the other kind of value begins: numbers sort before texts, null before both. */
function addRange(query: ListQuery, rest: readonly string[], conditions: string[], parameters: SqlValue[]): void {
  const { from, to } = query.range ?? {};
  if (from === undefined && to === undefined) return;
  const [field] = rest;
  if (field === undefined) throw mismatch(query, 'range has no field left');
  const key = keyExpression(field);
  if (from !== undefined) {
    conditions.push(`${key} >= ?`);
    parameters.push(keyValue(from, query, field));
  } else {
    conditions.push(typeof to === 'string' ? `${key} >= ''` : `${key} > ${NULL_KEY_SQL}`);
  }
  if (to !== undefined) {
    conditions.push(`${key} <= ?`);
    parameters.push(keyValue(to, query, field));
  } else if (typeof from === 'number') {
    conditions.push(`${key} < ''`);
  }
}

function addAfter(query: ListQuery, rest: readonly string[], conditions: string[], parameters: SqlValue[]): void {
  const { after } = query;
  if (!after) return;
  if (rest.length === 0) throw mismatch(query, 'after has no field left');
  const values = rest.map(field => {
    if (!(field in after)) throw mismatch(query, `after lacks ${field}`);
    return keyValue(after[field] as JsonValue, query, field);
  });
  const keys = rest.map(keyExpression).join(', ');
  const places = rest.map(() => '?').join(', ');
  const comparison = query.descending ? '<' : '>';
  conditions.push(rest.length === 1 ? `${keys} ${comparison} ?` : `(${keys}) ${comparison} (${places})`);
  parameters.push(...values);
}

function keyValue(value: JsonValue, query: ListQuery, field: string): SqlValue {
  if (value === null) return NULL_KEY;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value))) return value;
  throw mismatch(query, `${field} is compared with what is no text, number, boolean or null`);
}

function mismatch(query: ListQuery, why: string): RangeError {
  return new RangeError(`a query does not fit the index ${query.index}: ${why}`);
}
