export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;
export type JsonObject = { readonly [key: string]: JsonValue };

/**
 * Canonical JSON after RFC 8785: keys sorted by UTF-16 code units, no white space, numbers as ECMAScript prints them.
 * Throws on what JSON cannot hold (undefined, bigint, NaN), so nothing that would be lost is ever hashed or stored.
 */
export function canonicalJson(value: JsonValue): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new TypeError(`not a JSON number: ${value}`);
    return JSON.stringify(value);
  }
  if (typeof value !== 'object') throw new TypeError(`not a JSON value: ${typeof value}`);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const object = value as JsonObject;
  let members = '';
  for (const key of Object.keys(object).sort()) {
    members += `${members && ','}${JSON.stringify(key)}:${canonicalJson(object[key] as JsonValue)}`;
  }
  return `{${members}}`;
}
