import type { JsonObject, JsonValue } from '../../../vocabulary/json';
import type { Document } from '../../../kernel/ports/documents';
import { assertJson, isPlainObject } from '../../../kernel/strict-json';

const BODY_BYTES_LIMIT = 4 * 1_024 * 1_024;
const ID_LENGTH_LIMIT = 512;

/** `escaped` says that some names in the body are not stored as they are. */
export type StoredDocument = {
  readonly _id: string;
  readonly version: number;
  readonly body: JsonObject;
  readonly escaped?: true;
};

/**
 * Members that the driver or the server would not take for a name. `$ref` and its like make references, and `_bsontype`
 * makes the driver's own types. A name cannot hold a zero character.
 */
const TAKEN_NAME = /^\$|[~\0]|^_bsontype$/;

/**
 * Throws TypeError on a value that JSON cannot hold. Throws RangeError on a bad id or version, on too large a document,
 * and on an object or list in an indexed field.
 */
export function toStored(collection: string, document: Document, indexed: ReadonlySet<string>): StoredDocument {
  const { id, version, body } = document;
  if (id === '' || id.length > ID_LENGTH_LIMIT) throw new RangeError(`${collection}: not a document id: "${id}"`);
  const at = `${collection}/${id}`;
  if (!Number.isSafeInteger(version)) throw new RangeError(`${at}: the version is no whole number: ${version}`);
  assertJson(body, at);
  if (!isObject(body)) throw new TypeError(`${at}: the body is no object`);
  if (Buffer.byteLength(JSON.stringify(body)) > BODY_BYTES_LIMIT) {
    throw new RangeError(`${at} is longer than ${BODY_BYTES_LIMIT} bytes`);
  }
  for (const field of indexed) {
    if (isContainer(body[field]))
      throw new RangeError(`${at}: an index holds no lists and objects, but ${field} is one`);
  }
  if (!hasTakenName(body)) return { _id: id, version, body };
  return { _id: id, version, body: renamed(body, escapeName) as JsonObject, escaped: true };
}

/** Throws TypeError that names the document when the stored value is not of this service's form. */
export function fromStored<Body extends JsonObject>(collection: string, stored: unknown): Document<Body> {
  const { _id, version, body, escaped } = stored as Partial<StoredDocument>;
  const at = `${collection}/${String(_id)}`;
  if (typeof _id !== 'string' || !Number.isSafeInteger(version) || !isObject(body)) {
    throw new TypeError(`${at} was not stored by this service`);
  }
  assertJson(body, at);
  const whole = escaped ? renamed(body, unescapeName) : body;
  return { id: _id, version: version as number, body: whole as Body };
}

function hasTakenName(value: JsonValue): boolean {
  if (!isContainer(value)) return false;
  if (Array.isArray(value)) return value.some(hasTakenName);
  return Object.entries(value).some(([name, member]) => TAKEN_NAME.test(name) || hasTakenName(member as JsonValue));
}

function renamed(value: JsonValue, rename: (name: string) => string): JsonValue {
  if (!isContainer(value)) return value;
  if (Array.isArray(value)) return value.map(item => renamed(item as JsonValue, rename));
  const entries = Object.entries(value).map(([name, member]) => [rename(name), renamed(member as JsonValue, rename)]);
  return Object.fromEntries(entries) as JsonObject;
}

function escapeName(name: string): string {
  if (name === '_bsontype') return '~b';
  return name.replaceAll('~', '~~').replaceAll('\0', '~0').replace(/^\$/, '~$');
}

function unescapeName(name: string): string {
  if (name === '~b') return '_bsontype';
  return name.replace(/~([~0$])/g, (_, escaped: string) => (escaped === '0' ? '\0' : escaped));
}

function isContainer(value: JsonValue | undefined): value is JsonObject | readonly JsonValue[] {
  return typeof value === 'object' && value !== null;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && isPlainObject(value);
}
