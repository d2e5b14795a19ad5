import { parseStreamName, type NewEvent, type RecordedEvent } from '../../../kernel/event';
import type { LogPosition } from '../../../kernel/log-position';
import type { LogFilter } from '../../../kernel/ports/event-store';
import { rowAfter } from './event-row';

/** The events of a large commit, which readers look for at once. */
const EVENTS_LIMIT = 64;

type Recent = { readonly category: string; readonly event: RecordedEvent };

/**
 * The newest events of the log, without a gap, as this process has appended them. Every reader of the process asks for
 * them at once, and each reading would decode them anew. An event never changes, so it is the same one for all readers.
 */
export class RecentEvents {
  private recent: Recent[] = [];

  /** The events of one append; `revision` and `position` are those of its last one. */
  add(stream: string, events: readonly NewEvent[], revision: number, position: LogPosition): void {
    const { category } = parseStreamName(stream);
    const first = rowAfter(position, 1 - events.length);
    const last = this.recent.at(-1)?.event.position;
    // Another process has appended in between.
    if (last !== undefined && first !== rowAfter(last, 1)) this.recent = [];
    events.forEach(({ id, type, data, metadata }, index) => {
      const place = { revision: revision - events.length + 1 + index, position: rowAfter(first, index) };
      this.recent.push({ category, event: { id, type, stream, ...place, data, metadata } });
    });
    if (this.recent.length > 2 * EVENTS_LIMIT) this.recent = this.recent.slice(-EVENTS_LIMIT);
  }

  /** The matching events behind `after` and up to `until`; null where not all of these positions are known. */
  between(filter: LogFilter, after: LogPosition, until: LogPosition): readonly RecordedEvent[] | null {
    const [first] = this.recent;
    const last = this.recent.at(-1);
    if (!first || !last || first.event.position > rowAfter(after, 1) || last.event.position < until) return null;
    const begin = 1 + this.recent.findLastIndex(({ event }) => event.position <= after);
    return this.recent
      .slice(begin)
      .filter(({ category, event }) => event.position <= until && isAmong(filter, category))
      .map(({ event }) => event);
  }
}

function isAmong(filter: LogFilter, category: string): boolean {
  return filter === 'all' || filter.categories.includes(category);
}
