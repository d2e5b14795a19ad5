/** Nesting deeper than this is refused: no event or document needs it, and encoders recurse. */
export const JSON_DEPTH_LIMIT = 32;

/**
 * Throws TypeError, naming the place, on a value that JSON would lose or change. Such values are undefined, bigint,
 * NaN, infinities, functions, dates and other instances of classes, and holes in lists.
 */
export function assertJson(value: unknown, at: string, depth = 0): void {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return;
  if (typeof value === 'number' && Number.isFinite(value)) return;
  if (typeof value !== 'object') throw new TypeError(`${at} is not a JSON value: ${describe(value)}`);
  if (depth >= JSON_DEPTH_LIMIT) throw new TypeError(`${at} is nested deeper than ${JSON_DEPTH_LIMIT} levels`);
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) assertJson(value[index], `${at}[${index}]`, depth + 1);
    return;
  }
  if (!isPlainObject(value)) throw new TypeError(`${at} is not a JSON value: an instance of ${describe(value)}`);
  for (const [key, member] of Object.entries(value)) assertJson(member, `${at}.${key}`, depth + 1);
}

/** An object literal, of this or another realm: its prototype is null or the root of a chain. */
export function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function describe(value: unknown): string {
  if (typeof value === 'number') return String(value);
  if (typeof value === 'object' && value !== null) return value.constructor.name;
  return typeof value;
}
