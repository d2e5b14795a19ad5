import type { ApiVersion } from '../../vocabulary/api-versions';
import type { JsonObject } from '../../vocabulary/json';

/** The change of a version, told backwards: the form of its resources in the version before it. */
export type VersionChange = {
  readonly version: ApiVersion;
  /** A text for clients of an earlier version: the parts that they lack, or find in another form. */
  readonly before: string;
  /** Functions by the resource's `object`. Each is pure and takes the shape of this version. */
  readonly back: Readonly<Record<string, (resource: JsonObject) => JsonObject>>;
};
