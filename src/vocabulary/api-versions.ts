/**
 * Every version of the API that was ever shipped, the oldest first. Each stays served: an endpoint or account may be
 * pinned to it.
 */
export const API_VERSIONS = ['2026-11-01', '2026-11-15'] as const;
export type ApiVersion = (typeof API_VERSIONS)[number];

/** The version for accounts that were made before an account could be pinned to one. */
export const FIRST_API_VERSION: ApiVersion = '2026-11-01';
/** The version that presenters make, and to which an account is pinned when it registers. */
export const NEWEST_API_VERSION: ApiVersion = '2026-11-15';

export function isApiVersion(text: string): text is ApiVersion {
  return (API_VERSIONS as readonly string[]).includes(text);
}
