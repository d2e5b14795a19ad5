import { fold, type Decider } from './decider';
import type { DomainEvent, RecordedEvent } from './event';
import { invariant } from './invariant';
import type { EventStore } from './ports/event-store';

/** Aggregates hold some dozens of events; a stream this long means that one decision's boundary is wrong. */
const STREAM_LIMIT = 4_096;
/** Events read of a stream that restates its state. A command that is run again looks for its own event among them. */
const RESTATED_LIMIT = 100;

/** A stream as it was read: its events, and the state that they fold to. */
export type Loaded<State, Event extends DomainEvent> = {
  readonly state: State;
  /** -1 when the stream does not exist. */
  readonly revision: number;
  /** Of a stream that restates its state, the newest events alone. */
  readonly history: readonly RecordedEvent<Event>[];
};

/** The events of a command that has run before; none where it has not. */
export function eventsOfCommand<Event extends DomainEvent>(
  { history }: Pick<Loaded<unknown, Event>, 'history'>,
  commandId: string,
): readonly RecordedEvent<Event>[] {
  return history.filter(({ metadata }) => metadata.command_id === commandId);
}

type Loadable<State, Event extends DomainEvent> = Pick<
  Decider<State, never, Event>,
  'initial' | 'evolve' | 'evolveAll'
> & { readonly restates?: true };

export async function loadStream<State, Event extends DomainEvent>(
  store: Pick<EventStore, 'readStream'>,
  aggregate: Loadable<State, Event>,
  stream: string,
): Promise<Loaded<State, Event>> {
  const read = aggregate.restates ? newestEvents : allEvents;
  const history = (await read(store, stream)) as readonly RecordedEvent<Event>[];
  return { state: fold(aggregate, history), revision: history.at(-1)?.revision ?? -1, history };
}

async function allEvents(store: Pick<EventStore, 'readStream'>, stream: string) {
  const history = await store.readStream(stream, { limit: STREAM_LIMIT });
  invariant(history.length < STREAM_LIMIT, `${stream} has ${STREAM_LIMIT} events or more`);
  return history;
}

async function newestEvents(store: Pick<EventStore, 'readStream'>, stream: string) {
  const newestFirst = await store.readStream(stream, { direction: 'backwards', limit: RESTATED_LIMIT });
  return [...newestFirst].reverse();
}
