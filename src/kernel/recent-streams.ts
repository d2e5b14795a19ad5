import { BoundedMap } from './bounded-map';
import type { DomainEvent } from './event';
import type { Loaded } from './loaded';

/** The greatest number of streams kept: some ten kilobytes each, by the limit of their events. */
const STREAMS_LIMIT = 1_000;
const EVENTS_LIMIT = 32;

/**
 * Streams as this process has last seen them. Other processes may have written since. So only an append at the very
 * revision proves a decision on one of them.
 */
export class RecentStreams {
  private readonly streams = new BoundedMap<string, Loaded<unknown, DomainEvent>>(STREAMS_LIMIT);

  /** A stream's name tells its aggregate, and so the types of the kept stream. */
  get<State, Event extends DomainEvent>(stream: string): Loaded<State, Event> | undefined {
    return this.streams.get(stream) as Loaded<State, Event> | undefined;
  }

  /** A stream that does not exist, or that is long, is not kept. */
  keep<State, Event extends DomainEvent>(stream: string, loaded: Loaded<State, Event>): void {
    if ((this.streams.get(stream)?.revision ?? -1) > loaded.revision) return;
    if (loaded.revision < 0 || loaded.history.length > EVENTS_LIMIT) this.streams.delete(stream);
    else this.streams.set(stream, loaded);
  }

  forget(stream: string): void {
    this.streams.delete(stream);
  }
}
