import { ApiError, ConnectionError, RefusedError, UnexpectedAnswerError, type QuittanceError } from './errors';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 8_000;
/** The caller plans a longer wait than this; the error tells its length. */
const LONGEST_RETRY_AFTER_SECONDS = 60;
const SECOND_MS = 1_000;

/** Faults of the service that another attempt does not mend, by the catalogue. */
const FINAL_FAULTS: ReadonlySet<string> = new Set([
  'idempotency_record_corrupt',
  'idempotency_response_unavailable',
  'idempotency_response_unreadable',
  'invalid_config',
  'invalid_token_config',
]);

/**
 * The pause before the same request is sent again, in milliseconds; null when it must not be. Full jitter: a random
 * time up to a bound that doubles with each attempt, so that clients which failed together do not come back together.
 */
export function pauseBeforeRetry(error: QuittanceError, attempt: number, random: () => number): number | null {
  if (!isTransient(error)) return null;
  const bound = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempt - 1));
  const jitter = Math.floor(random() * bound);
  const asked = error instanceof RefusedError ? error.retryAfterSeconds : null;
  if (asked === null) return jitter;
  return asked > LONGEST_RETRY_AFTER_SECONDS ? null : asked * SECOND_MS + jitter;
}

/** The request was refused before any work: not even a one-time code is spent. */
export function isUnprocessed(error: QuittanceError): boolean {
  return error instanceof RefusedError && error.status === 429;
}

function isTransient(error: QuittanceError): boolean {
  if (error instanceof ConnectionError || isUnprocessed(error)) return true;
  if (error instanceof UnexpectedAnswerError) return error.status >= 500 || error.status === 429;
  if (error instanceof ApiError) return error.status >= 500 && !FINAL_FAULTS.has(error.code);
  return error instanceof RefusedError && error.code === 'idempotency_key_in_use';
}
