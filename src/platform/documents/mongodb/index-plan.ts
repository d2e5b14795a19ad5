import type { CollectionSpec } from '../../../kernel/ports/documents';

const COLLECTION_PATTERN = /^[A-Za-z][A-Za-z0-9_.@-]{0,99}$/;
const FIELD_PATTERN = /^[a-z][a-z0-9_]{0,62}$/;
const INDEX_LIMIT = 32;

export type KeyPattern = Readonly<Record<string, 1>>;
type IndexDefinition = { readonly name: string; readonly key: KeyPattern; readonly unique: boolean };
/** The fields of a standing index that are read; the server tells more. */
type StandingIndex = { readonly name?: string; readonly key: object; readonly unique?: boolean };
type IndexChanges = { readonly drop: readonly string[]; readonly create: readonly IndexDefinition[] };

/** Throws RangeError for a text that is no collection's name. */
export function assertCollectionName(name: string): void {
  if (COLLECTION_PATTERN.test(name) && !name.startsWith('system.')) return;
  throw new RangeError(`not a collection name: ${name}`);
}

/** Throws RangeError on names that are not `snake_case`, on an index without fields, and on too many indexes. */
export function assertSpec(spec: CollectionSpec): void {
  assertCollectionName(spec.name);
  const indexes = [...Object.entries(spec.indexes), ...Object.entries(spec.unique ?? {})];
  if (indexes.length > INDEX_LIMIT) throw new RangeError(`${spec.name}: more than ${INDEX_LIMIT} indexes`);
  for (const [name, fields] of indexes) {
    const at = `${spec.name}: the index ${name}`;
    if (!FIELD_PATTERN.test(name)) throw new RangeError(`${spec.name}: not an index name: ${name}`);
    if (spec.unique?.[name] && spec.indexes[name]) throw new RangeError(`${at} is defined twice`);
    if (fields.length === 0) throw new RangeError(`${at} has no fields`);
    const wrong = fields.find(field => !FIELD_PATTERN.test(field));
    if (wrong !== undefined) throw new RangeError(`${at} names ${wrong}, which is not a field name`);
  }
}

/** The place of a port's field in a stored document. */
export function storedPath(field: string): string {
  return field === 'id' ? '_id' : `body.${field}`;
}

export function keyPattern(fields: readonly string[]): KeyPattern {
  return Object.fromEntries(fields.map(field => [storedPath(field), 1] as const));
}

/** Fields of bodies that an index of the collection holds. */
export function indexedFields(spec: CollectionSpec): ReadonlySet<string> {
  return new Set([...Object.values(spec.indexes), ...Object.values(spec.unique ?? {})].flat().filter(f => f !== 'id'));
}

/**
 * The changes that make the standing indexes those of the spec; other standing ones are left alone. Key patterns stay
 * unique, since queries name their index by its pattern, and the index of `_id` is the server's own.
 */
export function planIndexes(spec: CollectionSpec, standing: readonly StandingIndex[]): IndexChanges {
  const wanted = wantedIndexes(spec);
  const isWanted = (index: StandingIndex): boolean => wanted.some(one => isSame(one, index));
  const create = wanted.filter(one => !standing.some(index => isSame(one, index)));
  const inTheWay = standing.filter(
    index => !isWanted(index) && create.some(one => one.name === index.name || hasSameKey(one, index)),
  );
  return { drop: inTheWay.map(({ name }) => name ?? ''), create };
}

function wantedIndexes(spec: CollectionSpec): readonly IndexDefinition[] {
  const unique = Object.entries(spec.unique ?? {}).map(([name, fields]) => define(name, fields, true));
  const plain = Object.entries(spec.indexes).map(([name, fields]) => define(name, fields, false));
  const wanted: IndexDefinition[] = [];
  for (const index of [...unique, ...plain]) {
    if (patternText(index.key) !== '{"_id":1}' && !wanted.some(other => hasSameKey(other, index))) wanted.push(index);
  }
  return wanted;
}

function define(name: string, fields: readonly string[], unique: boolean): IndexDefinition {
  return { name, key: keyPattern(fields), unique };
}

function isSame(wanted: IndexDefinition, standing: StandingIndex): boolean {
  return wanted.name === standing.name && wanted.unique === (standing.unique ?? false) && hasSameKey(wanted, standing);
}

function hasSameKey(a: StandingIndex, b: StandingIndex): boolean {
  return patternText(a.key) === patternText(b.key);
}

/** The order of its fields is part of a pattern. */
function patternText(key: object): string {
  return JSON.stringify(key);
}
