import { API_VERSIONS, NEWEST_API_VERSION, type ApiVersion } from '../../vocabulary/api-versions';
import type { JsonObject, JsonValue } from '../../vocabulary/json';
import { version20261115 } from './2026-11-15';
import type { VersionChange } from './version-change';

/** Newest first: the order in which a resource is converted back. */
export const VERSION_CHANGES: readonly VersionChange[] = [version20261115];

/** The depth of resources in an answer: a list's `data`, an event's `data`, and the resource. */
const DEPTH_LIMIT = 4;

/**
 * An answer of the newest shape as `version` had it. Resources are found only by their `object` and in `data`: a
 * merchant's own data, such as metadata, is never taken for one.
 */
export function inVersion(answer: JsonValue, version: ApiVersion): JsonValue {
  if (version === NEWEST_API_VERSION) return answer;
  const place = API_VERSIONS.indexOf(version);
  const changes = VERSION_CHANGES.filter(change => API_VERSIONS.indexOf(change.version) > place);
  return takenBack(answer, changes, DEPTH_LIMIT);
}

/** One resource of the newest shape as `version` had it. */
export function resourceInVersion(resource: JsonObject, version: ApiVersion): JsonObject {
  return inVersion(resource, version) as JsonObject;
}

function takenBack(value: JsonValue, changes: readonly VersionChange[], depth: number): JsonValue {
  if (depth === 0 || typeof value !== 'object' || value === null) return value;
  if (isList(value)) return value.map(item => takenBack(item, changes, depth - 1));
  const { data } = value;
  const inner = data === undefined ? value : { ...value, data: takenBack(data, changes, depth - 1) };
  const name = inner.object;
  if (typeof name !== 'string') return inner;
  return changes.reduce<JsonObject>((resource, { back }) => {
    const change = Object.hasOwn(back, name) ? back[name] : undefined;
    return change ? change(resource) : resource;
  }, inner);
}

function isList(value: JsonObject | readonly JsonValue[]): value is readonly JsonValue[] {
  return Array.isArray(value);
}
