/**
 * Time comes in by this port, so a simulation can run the code that production runs. All times are wall milliseconds
 * since 1970.
 */
export interface Clock {
  now(): number;
  /** Resolves after `delayMs`, or at once when `signal` aborts; never rejects. */
  wait(delayMs: number, signal?: AbortSignal): Promise<void>;
}

/** `2026-11-01T12:00:00.000Z`: the only form in which a time is stored or shown. */
export function isoTime(timeMs: number): string {
  return new Date(timeMs).toISOString();
}

/** For a library that takes a moment as an object. */
export function dateOf(timeMs: number): Date {
  return new Date(timeMs);
}

export function parseIsoTime(text: string): number {
  const timeMs = Date.parse(text);
  if (Number.isNaN(timeMs)) throw new RangeError(`not an ISO-8601 time: ${text}`);
  return timeMs;
}

const DAY_LENGTH = '2026-11-01'.length;

/** The day of UTC that an ISO-8601 moment lies in, such as `2026-11-01`. */
export function utcDay(at: string): string {
  return at.slice(0, DAY_LENGTH);
}

/** The first moment of a day of UTC. */
export function startOfDay(day: string): number {
  return parseIsoTime(`${day}T00:00:00.000Z`);
}

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** The clocks of two processes may differ by so much. */
export const CLOCK_DIFFERENCE_MS = 10 * MINUTE_MS;

/**
 * Waits for `work`, but no longer than `patienceMs`; true where the work is done by then. Otherwise the work goes on,
 * and the caller handles a failure after that. Throws what `work` throws in time.
 */
export async function isDoneWithin(clock: Clock, patienceMs: number, work: Promise<unknown>): Promise<boolean> {
  const over = new AbortController();
  try {
    return await Promise.race([work.then(() => true), clock.wait(patienceMs, over.signal).then(() => false)]);
  } finally {
    over.abort();
  }
}
