import type { JsonValue } from '../vocabulary/json';

/** A field by its path, such as `payment_method.rate`; null where there is no value. */
export type FieldChange = { readonly field: string; readonly before: string | null; readonly after: string | null };

/** The fields in which two values differ, in the order of the later one; a first value has no `before`. */
export function jsonChanges(before: JsonValue, after: JsonValue): readonly FieldChange[] {
  const [was, is] = [fieldsOf(before), fieldsOf(after)];
  const fields = [...new Set([...is.keys(), ...was.keys()])];
  return fields
    .map(field => ({ field, before: was.get(field) ?? null, after: is.get(field) ?? null }))
    .filter(change => change.before !== change.after);
}

function fieldsOf(value: JsonValue): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  collect('', value, fields);
  return fields;
}

function collect(path: string, value: JsonValue, fields: Map<string, string>): void {
  if (value === null) return;
  if (typeof value !== 'object') return void fields.set(path, String(value));
  for (const [name, part] of entriesOf(value)) collect(path === '' ? name : `${path}.${name}`, part, fields);
}

/** An object of a list is named by its id, so that it stays the same where others come before it. */
function entriesOf(value: object): readonly (readonly [string, JsonValue])[] {
  if (!Array.isArray(value)) return Object.entries(value) as [string, JsonValue][];
  return value.map((part: JsonValue, index) => [idOf(part) ?? String(index), part]);
}

function idOf(part: JsonValue): string | null {
  const isObject = typeof part === 'object' && part !== null && !Array.isArray(part);
  return isObject && 'id' in part && typeof part.id === 'string' ? part.id : null;
}
