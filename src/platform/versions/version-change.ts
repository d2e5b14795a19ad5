import type { ApiVersion } from '../../kernel/api-versions';
import type { JsonObject } from '../../kernel/json';

/** What a version changed, told backwards: how a resource of its shape looked in the version before it. */
export type VersionChange = {
  readonly version: ApiVersion;
  /** For those who are served an earlier version: what they do not find, or find otherwise. */
  readonly before: string;
  /** By the resource's `object`; pure, and each takes the shape that this version gave it. */
  readonly back: Readonly<Record<string, (resource: JsonObject) => JsonObject>>;
};
