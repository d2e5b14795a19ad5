/** Nesting deeper than this is refused: no event or document needs it, and encoders recurse. */
export const JSON_DEPTH_LIMIT = 32;

/**
 * Throws TypeError, naming the place, on a value that JSON would lose or change. Such values are undefined, bigint,
 * NaN, infinities, functions, dates and other instances of classes, and holes in lists.
 */
export function assertJson(value: unknown, at: string): void {
  const fault = faultIn(value, 0);
  if (fault !== null) throw new TypeError(`${at}${fault}`);
}

/** The place below `value` and its fault; null where there is no fault. The place is put together only for a fault. */
function faultIn(value: unknown, depth: number): string | null {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return null;
  if (typeof value === 'number' && Number.isFinite(value)) return null;
  if (typeof value !== 'object') return ` is not a JSON value: ${describe(value)}`;
  if (depth >= JSON_DEPTH_LIMIT) return ` is nested deeper than ${JSON_DEPTH_LIMIT} levels`;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const fault = faultIn(value[index], depth + 1);
      if (fault !== null) return `[${index}]${fault}`;
    }
    return null;
  }
  if (!isPlainObject(value)) return ` is not a JSON value: an instance of ${describe(value)}`;
  for (const key of Object.keys(value)) {
    const fault = faultIn((value as Readonly<Record<string, unknown>>)[key], depth + 1);
    if (fault !== null) return `.${key}${fault}`;
  }
  return null;
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
