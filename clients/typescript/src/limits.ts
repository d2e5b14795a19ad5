/** The longest time of a timer; a longer one would run out at once. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

/** Throws RangeError for a value that is no number of retries: a comparison with NaN never ends a loop. */
export function retryCount(value: number): number {
  return whole('maxRetries', value, 0, Number.MAX_SAFE_INTEGER);
}

/** A limit in milliseconds. Throws RangeError for a value that is no possible time for an answer. */
export function timeLimit(value: number): number {
  return whole('timeoutMs', value, 1, LONGEST_TIMEOUT_MS);
}

function whole(name: string, value: number, min: number, max: number): number {
  if (!Number.isSafeInteger(value) || value < min || value > max)
    throw new RangeError(`${name} is not a whole number from ${min} to ${max}: ${value}`);
  return value;
}
