import type { DomainEvent, RecordedEvent } from './event';

/** A stream as it was read: its events, and the state that they fold to. */
export type Loaded<State, Event extends DomainEvent> = {
  readonly state: State;
  /** -1 when the stream does not exist. */
  readonly revision: number;
  readonly history: readonly RecordedEvent<Event>[];
};
