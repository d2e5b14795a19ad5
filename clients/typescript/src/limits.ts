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

/** Aborts its signal once the client has waited for so long. A process without other work ends all the same. */
export class TimeLimit {
  readonly #timeoutMs: number;
  readonly #controller = new AbortController();
  #timer: NodeJS.Timeout | undefined;

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  start(): void {
    this.stop();
    const reason = new DOMException(`nothing came within ${this.#timeoutMs} ms`, 'TimeoutError');
    this.#timer = setTimeout(() => this.#controller.abort(reason), this.#timeoutMs).unref();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}

function whole(name: string, value: number, min: number, max: number): number {
  if (!Number.isSafeInteger(value) || value < min || value > max)
    throw new RangeError(`${name} is not a whole number from ${min} to ${max}: ${value}`);
  return value;
}
