import { parseStreamName } from '../../src/kernel/event';
import type { JsonObject } from '../../src/vocabulary/json';
import type { Collection, CollectionSpec, Documents } from '../../src/kernel/ports/documents';
import type { EventStore } from '../../src/kernel/ports/event-store';

/** Calls whose first argument is a stream; other questions to the log belong to no request. */
const OF_STREAMS: readonly PropertyKey[] = ['append', 'readStream'];

/** Frames enough to come from a port to its caller, over every await between. */
const FRAMES = 60;
const ASKER = /\((?:.*\/)?((?:src\/(?:watchers|processes|modules|platform\/http)|projections)\/[^:]+)\.ts:/;

export type RoundTrip = {
  /** `append payment_intent`, `get wallets`: a stream's category, or a collection. */
  readonly asked: string;
  /** The calling file outside of the kernel. */
  readonly by: string;
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
          if (place !== null) this.noted.push({ asked: `${String(name)} ${place}`, by: asker() });
          return Reflect.apply(member, target, asked);
        };
      },
    });
  }
}

function asker(): string {
  const lines = new Error().stack?.split('\n') ?? [];
  return lines.map(line => ASKER.exec(line)?.[1]).find(file => file !== undefined) ?? 'unknown';
}
