import type { Filter } from 'mongodb';
import type { JsonValue } from '../../../vocabulary/json';
import type { ListQuery } from '../../../kernel/ports/documents';
import { keyPattern, storedPath, type KeyPattern } from './index-plan';
import type { StoredDocument } from './stored-document';

/** A longer page is cut to this. */
const PAGE_LIMIT = 1_000;

type Condition = Readonly<Record<string, unknown>>;
type Key = string | number | boolean | null;
type PageQuery = {
  readonly filter: Filter<StoredDocument>;
  readonly sort: Readonly<Record<string, 1 | -1>>;
  readonly hint: KeyPattern;
  readonly limit: number;
};

/** A comparison finds values of its own kind only. The kinds stand in the order in which an index holds them. */
const KINDS = ['null', 'number', 'string', 'boolean'] as const;
const ALL_OF_KIND = {
  null: { $eq: null },
  number: { $gte: -Infinity },
  string: { $gte: '' },
  boolean: { $in: [false, true] },
} as const;

/** One page of an index. Throws RangeError on a query that the index cannot answer. */
export function pageQuery(fields: readonly string[], query: ListQuery): PageQuery {
  const { equals, descending, limit } = query;
  const bound = Object.keys(equals).length;
  if (bound > fields.length) throw mismatch(query, `equals binds ${bound} fields of ${fields.length}`);
  if (!Number.isSafeInteger(limit) || limit < 1) throw mismatch(query, `the limit is ${limit}`);
  const common = fields.slice(0, bound).map(field => {
    if (!(field in equals)) throw mismatch(query, `equals must bind its first fields, and ${field} is one of them`);
    return equal(field, key(equals[field], query, field));
  });
  const rest = fields.slice(bound);
  const range = rangeCondition(query, rest[0]);
  if (range) common.push(range);
  const direction = descending ? -1 : 1;
  return {
    filter: toFilter(common, afterBranches(query, rest)),
    sort: Object.fromEntries(rest.map(field => [storedPath(field), direction] as const)),
    hint: keyPattern(fields),
    limit: Math.min(limit, PAGE_LIMIT),
  };
}

/**
 * Each branch repeats the conditions that all have in common. So each branch is one stretch of the index, and the
 * stretches are merged in its order.
 */
function toFilter(common: readonly Condition[], branches: readonly Condition[][] | null): Filter<StoredDocument> {
  const all = (conditions: readonly Condition[]): Condition => (conditions.length > 0 ? { $and: conditions } : {});
  if (!branches) return all(common) as Filter<StoredDocument>;
  return { $or: branches.map(branch => all([...common, ...branch])) } as Filter<StoredDocument>;
}

/** Both ends belong to the range. */
function rangeCondition({ range, index }: ListQuery, field: string | undefined): Condition | null {
  const { from, to } = range ?? {};
  if (from === undefined && to === undefined) return null;
  if (field === undefined) throw new RangeError(`a query does not fit the index ${index}: range has no field left`);
  return { [storedPath(field)]: { ...(from !== undefined && { $gte: from }), ...(to !== undefined && { $lte: to }) } };
}

/**
 * The conditions for a document that comes after the last one of the former page; null for the first page. After (a, b)
 * come the documents with a first field beyond a, and those with a itself and a second field beyond b.
 */
function afterBranches(query: ListQuery, rest: readonly string[]): Condition[][] | null {
  const { after } = query;
  if (!after) return null;
  if (rest.length === 0) throw mismatch(query, 'after has no field left');
  const keys = rest.map(field => {
    if (!(field in after)) throw mismatch(query, `after lacks ${field}`);
    return key(after[field], query, field);
  });
  const branches = rest.flatMap((field, place) => {
    const same = rest.slice(0, place).map((earlier, index) => equal(earlier, keys[index] as Key));
    const beyond = query.descending ? below(keys[place] as Key) : above(keys[place] as Key);
    // Every id is a text, so no value of another kind is beyond one.
    const possible = field === 'id' ? beyond.slice(0, 1) : beyond;
    return possible.map(condition => [...same, { [storedPath(field)]: condition }]);
  });
  // No value is beyond the last value of the last kind.
  return branches.length > 0 ? branches : [[{ _id: { $in: [] } }]];
}

function above(value: Key): Condition[] {
  const laterKinds = KINDS.slice(KINDS.indexOf(kindOf(value)) + 1).map(kind => ALL_OF_KIND[kind]);
  return value === null || value === true ? [...laterKinds] : [{ $gt: value }, ...laterKinds];
}

function below(value: Key): Condition[] {
  const earlierKinds = KINDS.slice(0, KINDS.indexOf(kindOf(value))).map(kind => ALL_OF_KIND[kind]);
  return value === null || value === false ? [...earlierKinds] : [{ $lt: value }, ...earlierKinds];
}

function kindOf(value: Key): (typeof KINDS)[number] {
  return value === null ? 'null' : (typeof value as 'number' | 'string' | 'boolean');
}

/** A missing field equals null. */
function equal(field: string, value: Key): Condition {
  return { [storedPath(field)]: { $eq: value } };
}

function key(value: JsonValue | undefined, query: ListQuery, field: string): Key {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw mismatch(query, `${field} is compared with what is no text, number, boolean or null`);
}

function mismatch(query: ListQuery, why: string): RangeError {
  return new RangeError(`a query does not fit the index ${query.index}: ${why}`);
}
