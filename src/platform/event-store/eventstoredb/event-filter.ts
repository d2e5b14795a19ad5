import { streamNameFilter, type Filter } from '@eventstore/db-client';
import type { RecordedEvent } from '../../../kernel/event';
import { UNIVERSES } from '../../../vocabulary/modes';
import type { LogFilter } from '../../../kernel/ports/event-store';

const CATEGORY_PATTERN = /^[A-Za-z][A-Za-z0-9_]{0,99}$/;
const CATEGORIES_LIMIT = 256;
/** How the names of our own streams begin. */
const OURS: readonly string[] = UNIVERSES.map(universe => `${universe}.`);
/** How the names of a filter's streams begin: each event that is met asks for it. */
const prefixes = new WeakMap<Exclude<LogFilter, 'all'>, readonly string[]>();

type Paging = Pick<
  Parameters<typeof streamNameFilter>[0],
  'maxSearchWindow' | 'checkpointInterval' | 'checkpointReached'
>;

/** Throws RangeError on names that would have another meaning inside a prefix. */
export function assertFilter(filter: LogFilter): void {
  if (filter === 'all') return;
  const { categories } = filter;
  if (categories.length === 0 || categories.length > CATEGORIES_LIMIT)
    throw new RangeError(`a filter names ${categories.length} categories`);
  const wrong = categories.find(name => !CATEGORY_PATTERN.test(name));
  if (wrong !== undefined) throw new RangeError(`not the name of a category: ${wrong}`);
}

export function serverFilter(filter: LogFilter, paging: Paging): Filter {
  return streamNameFilter({ prefixes: [...prefixesOf(filter)], ...paging });
}

/** Passes every event of ours and no other: neither the server's own nor another application's. */
export function everythingFilter(): Filter {
  return streamNameFilter({ prefixes: [...OURS] });
}

export function isOurs(stream: string): boolean {
  return OURS.some(prefix => stream.startsWith(prefix));
}

export function matches(filter: LogFilter, { stream }: Pick<RecordedEvent, 'stream'>): boolean {
  return prefixesOf(filter).some(prefix => stream.startsWith(prefix));
}

export function describeFilter(filter: LogFilter): string {
  return filter === 'all' ? '$all of every category' : `$all of ${filter.categories.join(', ')}`;
}

function prefixesOf(filter: LogFilter): readonly string[] {
  if (filter === 'all') return OURS;
  const known = prefixes.get(filter);
  if (known) return known;
  const made = filter.categories.flatMap(category => UNIVERSES.map(universe => `${universe}.${category}-`));
  prefixes.set(filter, made);
  return made;
}
