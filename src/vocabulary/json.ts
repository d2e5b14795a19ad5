export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;
export type JsonObject = { readonly [key: string]: JsonValue };

/** ASCII without control characters, quotation mark and backslash. */
const UNESCAPED = /^[ !#-[\]-~]*$/;

/**
 * Canonical JSON after RFC 8785: keys sorted by UTF-16 code units, no white space, numbers as ECMAScript prints them.
 * Throws on what JSON cannot hold (undefined, bigint, NaN), so nothing that would be lost is ever hashed or stored.
 */
export function canonicalJson(value: JsonValue): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new TypeError(`not a JSON number: ${value}`);
    return JSON.stringify(value);
  }
  if (typeof value !== 'object') throw new TypeError(`not a JSON value: ${typeof value}`);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const object = value as JsonObject;
  const keys = Object.keys(object);
  if (!areSorted(keys)) keys.sort();
  let members = '';
  for (const key of keys) {
    members += `${members && ','}${quoted(key)}:${canonicalJson(object[key] as JsonValue)}`;
  }
  return `{${members}}`;
}

/** Nearly all names and texts hold no character that JSON escapes. */
function quoted(text: string): string {
  return UNESCAPED.test(text) ? `"${text}"` : JSON.stringify(text);
}

function areSorted(keys: readonly string[]): boolean {
  return keys.every((key, index) => index === 0 || (keys[index - 1] as string) < key);
}
