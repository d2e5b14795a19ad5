import { CATEGORIES } from '../composition/aggregates';
import { isEventOf } from '../composition/event-types';
import { BoundedMap } from '../kernel/bounded-map';
import { parseStreamName, type RecordedEvent } from '../kernel/event';
import type { EventStore } from '../kernel/ports/event-store';
import { faultOf, linkOf, NO_LINK, type Fault, type Link } from '../kernel/hash-chain-check';

/** Streams whose last hash is kept in memory; the hash of any other stream is read from the store. */
const LINKS_LIMIT = 100_000;
/** The position of an embedded log's first event. */
const FIRST_POSITION = 1;

/**
 * The ways in which an event is at fault beside its chain. `position_gap`: events before it are missing from the log.
 * `unknown_category`: no program of ours writes such a stream. `foreign_type`: the event belongs to another kind of
 * stream. `mode_differs`: the stream belongs to another mode.
 */
type LogFault = Fault | 'position_gap' | 'unknown_category' | 'foreign_type' | 'mode_differs';

export type FaultyEvent = Pick<RecordedEvent, 'stream' | 'revision' | 'position' | 'type'> & {
  readonly fault: LogFault;
};

/** Checks the events of a log one by one, in the log's order. */
export class LogAudit {
  events = 0;
  streams = 0;
  private readonly links = new BoundedMap<string, Link>(LINKS_LIMIT);
  private nextPosition: number | null;

  /** Only the embedded log numbers its events without gaps: in another log a lost stream leaves no trace. */
  constructor(
    private readonly store: Pick<EventStore, 'readStream'>,
    { isDense }: { readonly isDense: boolean },
  ) {
    this.nextPosition = isDense ? FIRST_POSITION : null;
  }

  async faultsOf(event: RecordedEvent): Promise<readonly FaultyEvent[]> {
    const { stream, revision, position, type } = event;
    this.events++;
    if (revision === 0) this.streams++;
    const faults: (LogFault | null)[] = [
      this.gapBefore(event),
      kindFault(event),
      faultOf(event, await this.linkBefore(event)),
    ];
    this.links.set(stream, linkOf(event));
    return faults.flatMap(fault => (fault === null ? [] : [{ stream, revision, position, type, fault }]));
  }

  private gapBefore({ position }: RecordedEvent): 'position_gap' | null {
    const expected = this.nextPosition;
    if (expected === null) return null;
    const place: number = position;
    this.nextPosition = place + 1;
    return place === expected ? null : 'position_gap';
  }

  private async linkBefore({ stream, revision }: RecordedEvent): Promise<Link> {
    const known = this.links.get(stream);
    if (known) return known;
    if (revision === 0) return NO_LINK;
    // The event's own hash was found right when the log was at that event.
    const [before] = await this.store.readStream(stream, { from: revision - 1, limit: 1 });
    return before?.revision === revision - 1 ? linkOf(before) : NO_LINK;
  }
}

function kindFault({ stream, type, metadata }: RecordedEvent): LogFault | null {
  const { universe, category } = parseStreamName(stream);
  if (!CATEGORIES.includes(category)) return 'unknown_category';
  if (!isEventOf(category, type)) return 'foreign_type';
  return metadata.mode === universe ? null : 'mode_differs';
}
