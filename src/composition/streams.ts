import { ALL_PROJECTIONS } from '../../projections/all';
import type { EventStore } from '../kernel/ports/event-store';
import { upcast } from '../kernel/upcasting';
import { StreamReader } from '../modules/streams/stream-reader';
import { streamStates } from '../modules/streams/stream-states';
import { AGGREGATES, UPCASTS } from './aggregates';

/** The states of every stream that the service writes. */
export const statesOf = streamStates(ALL_PROJECTIONS, AGGREGATES);

export function composeStreams(recorded: Pick<EventStore, 'readStream'>): StreamReader {
  return new StreamReader({
    recorded,
    categories: AGGREGATES.map(({ category }) => category),
    newestShape: event => upcast(UPCASTS, event),
    statesOf,
  });
}
