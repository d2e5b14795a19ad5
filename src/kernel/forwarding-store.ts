import type { EventStore } from './ports/event-store';

/** A store whose every call goes to the one beneath. A wrapper spreads it, and names only the calls that it changes. */
export function forwardingStore(store: EventStore): EventStore {
  return {
    append: (stream, expected, events) => store.append(stream, expected, events),
    readStream: (stream, options) => store.readStream(stream, options),
    subscribe: (filter, after, signal) => store.subscribe(filter, after, signal),
    ensureGroup: (name, filter) => store.ensureGroup(name, filter),
    consume: (name, handler, options) => store.consume(name, handler, options),
    groupStatus: name => store.groupStatus(name),
    parkedEvents: (name, limit) => store.parkedEvents(name, limit),
    replayParked: name => store.replayParked(name),
    lastPosition: () => store.lastPosition(),
    lastEventUpTo: position => store.lastEventUpTo(position),
    firstEventId: () => store.firstEventId(),
    close: () => store.close(),
  };
}
