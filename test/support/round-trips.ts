import { parseStreamName } from '../../src/kernel/event';
import type { JsonObject } from '../../src/vocabulary/json';
import type { Collection, CollectionSpec, Documents } from '../../src/kernel/ports/documents';
import type { EventStore } from '../../src/kernel/ports/event-store';

/** Calls whose first argument is a stream; other questions to the log belong to no request. */
const OF_STREAMS: readonly PropertyKey[] = ['append', 'readStream'];

/** Frames enough to come from a port to its caller, over every await between. */
const FRAMES = 60;
const ASKER = /\((?:.*\/)?((?:src\/(?:watchers|processes|modules|platform\/http)|projections)\/[^:]+)\.ts:/;

const WORKER = 'src/processes/webhook-delivery/dispatch/';

export type RoundTrip = {
  /** `append payment_intent`, `get wallets`: a stream's category, or a collection. */
  readonly asked: string;
  /** The calling file outside of the kernel. */
  readonly by: string;
  /** Whether the worker asks that sends webhooks for all requests alike. */
  readonly isWorkers: boolean;
  readonly place: string;
  /** The things that were read: the access documents as one, a document, a stream, a list. Null for a write. */
  readonly read: readonly string[] | null;
};

/** Notes each question to an engine, as it passes the port. */
export class RoundTrips {
  private noted: RoundTrip[] = [];

  /** The questions of `work`, in order. */
  async during(work: () => Promise<unknown>): Promise<readonly string[]> {
    return (await this.noting(work)).map(({ asked }) => asked);
  }

  async noting(work: () => Promise<unknown>): Promise<readonly RoundTrip[]> {
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = FRAMES;
    this.noted = [];
    try {
      await work();
    } finally {
      Error.stackTraceLimit = limit;
    }
    return this.noted;
  }

  log(store: EventStore): EventStore {
    return this.watched(store, (name, [stream]) =>
      OF_STREAMS.includes(name) ? parseStreamName(String(stream)).category : null,
    );
  }

  documents(documents: Documents): Documents {
    return {
      open: async <Body extends JsonObject>(spec: CollectionSpec) => {
        const collection = await documents.open<Body>(spec);
        return this.watched<Collection<Body>>(collection, () => spec.name);
      },
      switch: (...asked) => documents.switch(...asked),
      drop: name => documents.drop(name),
      close: () => documents.close(),
    };
  }

  private watched<Port extends object>(
    port: Port,
    placeOf: (name: PropertyKey, asked: readonly unknown[]) => string | null,
  ): Port {
    return new Proxy(port, {
      get: (target, name): unknown => {
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member !== 'function') return member;
        return (...asked: unknown[]): unknown => {
          const place = placeOf(name, asked);
          if (place !== null) this.noted.push(tripOf(String(name), place, asked));
          return Reflect.apply(member, target, asked);
        };
      },
    });
  }
}

/**
 * The things that a request has read more than once, though nothing was written to their collection or category
 * between. A document and the newer events of its stream are two readings, and one of each. The read models' progress
 * is asked as the time is. `anew`: what is read anew after a wait, such as `get coverage`.
 */
export function readTwice(trips: readonly RoundTrip[], anew: readonly string[] = []): readonly string[] {
  const twice: string[] = [];
  const seen = new Map<string, Set<string>>();
  for (const { place, read, isWorkers } of trips) {
    const known = seen.get(place) ?? new Set();
    if (read === null) known.clear();
    else if (isWorkers) continue;
    else twice.push(...read.filter(thing => known.has(thing)));
    for (const thing of read ?? []) known.add(thing);
    seen.set(place, known);
  }
  return twice.filter(thing => ![...anew, 'get checkpoints'].some(each => thing.startsWith(`${each} `)));
}

function tripOf(name: string, place: string, asked: readonly unknown[]): RoundTrip {
  const lines = new Error().stack?.split('\n') ?? [];
  const isWorkers = lines.some(line => line.includes(WORKER));
  return { asked: `${name} ${place}`, by: askerIn(lines), isWorkers, place, read: readingOf(name, place, asked) };
}

function readingOf(name: string, place: string, [first]: readonly unknown[]): readonly string[] | null {
  switch (name) {
    case 'get':
    case 'readStream':
      return [`${name} ${place} ${String(first)}`];
    case 'getAll':
      return place === 'access' ? ['access documents'] : (first as readonly string[]).map(id => `get ${place} ${id}`);
    case 'list':
      return [`list ${place} ${JSON.stringify(first)}`];
    case 'count':
      return [`count ${place}`];
    default:
      return null;
  }
}

function askerIn(lines: readonly string[]): string {
  return lines.map(line => ASKER.exec(line)?.[1]).find(file => file !== undefined) ?? 'unknown';
}
