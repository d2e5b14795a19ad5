import type { Log } from '../../kernel/ports/log';
import { configSchema } from './config-schema';

/** A variable that nothing reads, and the known one that it resembles. */
type UnknownVariable = { readonly name: string; readonly resembles: string | null };

/** Beginnings that variables of other programs have too, such as NODE_OPTIONS. */
const SHARED_BEGINNINGS: readonly string[] = ['NODE_', 'LOG_', 'PUBLIC_', 'SECRET_', 'DOCS_'];
/** A slip of the hand changes, leaves out or adds so many letters; short names resemble each other by chance. */
const SLIPS = 2;
const SLIPS_OF_SHORT_NAMES = 1;
const SHORT_NAME = 7;

const KNOWN: readonly string[] = Object.keys(configSchema.shape);
const BEGINNINGS: readonly string[] = [...new Set(KNOWN.flatMap(beginningOf))].filter(
  beginning => !SHARED_BEGINNINGS.includes(beginning),
);

/** The variables that were meant for this service, as their names tell, and that the service does not know. */
export function unknownVariables(env: Readonly<Record<string, string | undefined>>): readonly UnknownVariable[] {
  return Object.keys(env)
    .filter(name => !KNOWN.includes(name))
    .map(name => ({ name, resembles: resembled(name) }))
    .filter(({ name, resembles }) => resembles !== null || BEGINNINGS.some(beginning => name.startsWith(beginning)))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** One line a variable, which never shows its value. */
export function warnOfUnknownVariables(env: Readonly<Record<string, string | undefined>>, log: Log): void {
  for (const { name, resembles } of unknownVariables(env))
    log.warn({ variable: name, resembles }, 'nothing reads this variable: its name may be misspelt');
}

/** The part of a name before its first underscore, with it. */
function beginningOf(name: string): readonly string[] {
  const end = name.indexOf('_');
  return end < 0 ? [] : [name.slice(0, end + 1)];
}

function resembled(name: string): string | null {
  const capitals = name.toUpperCase();
  const slips = name.length <= SHORT_NAME ? SLIPS_OF_SHORT_NAMES : SLIPS;
  const near = KNOWN.map(known => ({ known, distance: distance(capitals, known) }))
    .filter(each => each.distance <= slips)
    .sort((one, other) => one.distance - other.distance);
  return near[0]?.known ?? null;
}

/** The least number of letters to change, leave out or add between two texts (Levenshtein). */
function distance(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > SLIPS) return SLIPS + 1;
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let line = 1; line <= one.length; line++) {
    const next = [line];
    for (let column = 1; column <= other.length; column++) {
      const changed = (row[column - 1] as number) + (one[line - 1] === other[column - 1] ? 0 : 1);
      next.push(Math.min(changed, (row[column] as number) + 1, (next[column - 1] as number) + 1));
    }
    row = next;
  }
  return row[other.length] as number;
}
