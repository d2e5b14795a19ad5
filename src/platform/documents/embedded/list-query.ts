import type { JsonValue } from '../../../vocabulary/json';
import { omittedMembers, type ListQuery } from '../../../kernel/ports/documents';

/** A longer page is cut to this. */
const PAGE_LIMIT = 1_000;

/**
 * Sorts before every number and text, as JSON has no such number. A null inside an index could be neither compared nor
 * used for paging.
 */
const NULL_KEY = -Infinity;
const NULL_KEY_SQL = '-9e999';

type SqlValue = string | number;
type PageQuery = { readonly sql: string; readonly parameters: readonly SqlValue[] };

/** The indexed expression of a field: a query must name it in these very words. `true` is 1 and `false` 0 in it. */
export function keyExpression(field: string): string {
  return field === 'id' ? 'id' : `ifnull(json_extract(body, '$.${field}'), ${NULL_KEY_SQL})`;
}

/** The condition of a sparse index: a query must name it in these very words, or SQLite uses no such index. */
export function presence(field: string): string {
  return `json_extract(body, '$.${field}') is not null`;
}

/**
 * One page of an index. Fields bound by `equals` are not named in the order, or SQLite would sort rows that the index
 * has in order. Throws RangeError on a query that the index cannot answer.
 */
export function pageQuery(
  table: string,
  fields: readonly string[],
  query: ListQuery,
  sparse: string | null = null,
): PageQuery {
  const bound = Object.keys(query.equals).length;
  const conditions: string[] = sparse === null ? [] : [presence(sparse)];
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
  // The limit is written out: SQLite plans a statement anew whenever a limit is bound to it, which takes longer than a
  // short page.
  const omitted = omittedMembers(query).map(path => `, '$.${path}'`);
  const body = omitted.length > 0 ? `json_remove(body${omitted.join('')})` : 'body';
  const sql = `select id, version, ${body} from "${table}"${where}${orderBy} limit ${Math.min(query.limit, PAGE_LIMIT)}`;
  return { sql, parameters };
}

/**
 * Both ends belong to the range. A missing end stops where values of the other kind begin: numbers sort before texts,
 * null before both.
 */
function addRange(query: ListQuery, rest: readonly string[], conditions: string[], parameters: SqlValue[]): void {
  const { from, to } = query.range ?? {};
  if (from === undefined && to === undefined) return;
  const [field] = rest;
  if (field === undefined) throw mismatch(query, 'range has no field left');
  const key = keyExpression(field);
  // SQLite takes either of two bounds at the same side for its search. A sign before the looser one keeps it out of the
  // search.
  const cursor = query.after?.[field] ?? null;
  const lower = (bound: SqlValue): string => (!query.descending && cursor !== null && bound <= cursor ? '+' : '');
  const upper = (bound: SqlValue): string => (query.descending && cursor !== null && bound >= cursor ? '+' : '');
  if (from !== undefined) {
    conditions.push(`${lower(from)}${key} >= ?`);
    parameters.push(keyValue(from, query, field));
  } else {
    conditions.push(
      typeof to === 'string' ? `${lower('')}${key} >= ''` : `${lower(-Infinity)}${key} > ${NULL_KEY_SQL}`,
    );
  }
  if (to !== undefined) {
    conditions.push(`${upper(to)}${key} <= ?`);
    parameters.push(keyValue(to, query, field));
  } else if (typeof from === 'number') {
    conditions.push(`${upper(Infinity)}${key} < ''`);
  }
}

function addAfter(query: ListQuery, rest: readonly string[], conditions: string[], parameters: SqlValue[]): void {
  const { after } = query;
  if (!after) return;
  const [first, ...others] = rest;
  if (first === undefined) throw mismatch(query, 'after has no field left');
  const values = rest.map(field => {
    if (!(field in after)) throw mismatch(query, `after lacks ${field}`);
    return keyValue(after[field] as JsonValue, query, field);
  });
  const comparison = query.descending ? '<' : '>';
  if (others.length === 0) {
    conditions.push(`${keyExpression(first)} ${comparison} ?`);
    parameters.push(...values);
    return;
  }
  // A comparison of rows is no bound to an index of expressions. Without the first key's own bound, every page before
  // would be read again.
  conditions.push(`${keyExpression(first)} ${comparison}= ?`);
  const keys = rest.map(keyExpression).join(', ');
  conditions.push(`(${keys}) ${comparison} (${rest.map(() => '?').join(', ')})`);
  parameters.push(values[0] as SqlValue, ...values);
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
