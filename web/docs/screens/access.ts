import type { Operation } from '../../../src/platform/docs/api-document';

/** The callers that an operation answers: all, each key, or the keys with a scope. */
export function accessOf({ security: [requirement], 'x-required-scope': scope }: Operation): string {
  if (!requirement) return 'public';
  return scope === undefined ? 'any secret or restricted key' : `\`${scope}\``;
}
