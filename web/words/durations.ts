import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/kernel/clock';
import { plural } from './plural';

const UNITS = [
  ['day', DAY_MS],
  ['hour', HOUR_MS],
  ['minute', MINUTE_MS],
  ['second', SECOND_MS],
] as const;
/** So many of a unit are told before the next larger one: `90 seconds`, then `2 minutes`. */
const LEAST = 2;

/** A length of time in whole units of the largest one that tells enough, such as `3 minutes`. */
export function durationText(ms: number): string {
  if (ms < SECOND_MS) return 'less than a second';
  const [unit, length] = UNITS.find(([, each]) => ms >= LEAST * each) ?? (['second', SECOND_MS] as const);
  return plural(Math.floor(ms / length), unit);
}
