import { ApiError, ConnectionError, RefusedError, UnexpectedAnswerError, type QuittanceError } from './errors';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 8_000;
/** A longer wait than this is the caller's to plan; the error says how long it is. */
const LONGEST_RETRY_AFTER_SECONDS = 60;
const SECOND_MS = 1_000;

/** Faults of the service that asking again does not mend, by the catalogue's own words. */
const FINAL_FAULTS: ReadonlySet<string> = new Set([
  'idempotency_record_corrupt',
  'idempotency_response_unavailable',
  'idempotency_response_unreadable',
  'invalid_config',
  'invalid_token_config',
]);

/**
 * How long to wait before the same request is sent again, in milliseconds; null when it is not to be. Full jitter:
 * anything between nothing and a bound that doubles with each attempt, so that clients which failed together do not
 * come back together.
 */
export function pauseBeforeRetry(error: QuittanceError, attempt: number, random: () => number): number | null {
  if (!isTransient(error)) return null;
  const bound = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempt - 1));
  const jitter = Math.floor(random() * bound);
  const asked = error instanceof RefusedError ? error.retryAfterSeconds : null;
  if (asked === null) return jitter;
  return asked > LONGEST_RETRY_AFTER_SECONDS ? null : asked * SECOND_MS + jitter;
}

/** Refused before anything was done: not even a one-time code is spent. */
export function isUnprocessed(error: QuittanceError): boolean {
  return error instanceof RefusedError && error.status === 429;
}

function isTransient(error: QuittanceError): boolean {
  if (error instanceof ConnectionError || isUnprocessed(error)) return true;
  if (error instanceof UnexpectedAnswerError) return error.status >= 500 || error.status === 429;
  if (error instanceof ApiError) return error.status >= 500 && !FINAL_FAULTS.has(error.code);
  return error instanceof RefusedError && error.code === 'idempotency_key_in_use';
}
