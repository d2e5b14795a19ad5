import { eventTypeFilter, streamNameFilter, type Filter } from '@eventstore/db-client';
import type { RecordedEvent, Universe } from '../../../kernel/event';
import type { EventFilter } from '../../../kernel/ports/event-store';

const UNIVERSES: readonly Universe[] = ['test', 'live', 'platform'];
const NAME_PATTERN = /^[A-Za-z][A-Za-z0-9_]{0,99}$/;
const NAMES_LIMIT = 256;

type Paging = Pick<
  Parameters<typeof eventTypeFilter>[0],
  'maxSearchWindow' | 'checkpointInterval' | 'checkpointReached'
>;

/** Throws RangeError on names that would mean something else inside a prefix or a regular expression. */
export function assertFilter(filter: EventFilter): void {
  const names = namesOf(filter);
  if (names.length === 0 || names.length > NAMES_LIMIT) throw new RangeError(`a filter names ${names.length} things`);
  const wrong = names.find(name => !NAME_PATTERN.test(name));
  if (wrong !== undefined) throw new RangeError(`not the name of a category or an event type: ${wrong}`);
}

export function serverFilter(filter: EventFilter, paging: Paging): Filter {
  if ('types' in filter) return eventTypeFilter({ regex: `^(${filter.types.join('|')})$`, ...paging });
  return streamNameFilter({ prefixes: prefixesOf(filter.categories), ...paging });
}

/** Every event of ours and no other: neither the server's own nor another application's. */
export function everythingFilter(): Filter {
  return streamNameFilter({ prefixes: UNIVERSES.map(universe => `${universe}.`) });
}

export function isOurs(stream: string): boolean {
  return UNIVERSES.some(universe => stream.startsWith(`${universe}.`));
}

export function matches(filter: EventFilter, { stream, type }: Pick<RecordedEvent, 'stream' | 'type'>): boolean {
  if ('types' in filter) return filter.types.includes(type);
  return prefixesOf(filter.categories).some(prefix => stream.startsWith(prefix));
}

export function describeFilter(filter: EventFilter): string {
  return `$all of ${namesOf(filter).join(', ')}`;
}

function prefixesOf(categories: readonly string[]): string[] {
  return categories.flatMap(category => UNIVERSES.map(universe => `${universe}.${category}-`));
}

function namesOf(filter: EventFilter): readonly string[] {
  return 'types' in filter ? filter.types : filter.categories;
}
