/** What a timer can hold; a longer time would run out at once. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

/** Throws RangeError for what is no number of retries: a comparison with one that is not a number never ends. */
export function retryCount(value: number): number {
  return whole('maxRetries', value, 0, Number.MAX_SAFE_INTEGER);
}

/** In milliseconds. Throws RangeError for what is no time that an answer could come in. */
export function timeLimit(value: number): number {
  return whole('timeoutMs', value, 1, LONGEST_TIMEOUT_MS);
}

function whole(name: string, value: number, min: number, max: number): number {
  if (!Number.isSafeInteger(value) || value < min || value > max)
    throw new RangeError(`${name} is not a whole number from ${min} to ${max}: ${value}`);
  return value;
}
