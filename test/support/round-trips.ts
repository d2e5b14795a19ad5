import { parseStreamName } from '../../src/kernel/event';
import type { JsonObject } from '../../src/vocabulary/json';
import type { Collection, CollectionSpec, Documents } from '../../src/kernel/ports/documents';
import type { EventStore } from '../../src/kernel/ports/event-store';

/** Calls whose first argument is a stream; other questions to the log belong to no request. */
const OF_STREAMS: readonly PropertyKey[] = ['append', 'readStream'];

/** Frames enough to come from a port to its caller, over every await between. */
const FRAMES = 60;
const ASKER = /\((?:.*\/)?((?:src\/(?:watchers|processes|modules|platform\/http)|projections)\/[^:]+)\.ts:/;

/** Works that a request sets off: the webhooks for all requests alike, and each deadline that a clock makes due. */
const WORKS = ['src/processes/webhook-delivery/dispatch/', 'src/processes/expiry/deadline-actions'];
/**
 * The search for candidates looks once more where the lists were behind the log at first. A transfer may move while it
 * is credited, so it is looked at once more after its credit, and so it is where a naming meets a credited one. A clock
 * that is advanced asks for the coverage until the watcher has seen the newest block of a local chain.
 */
const LOOKS_AGAIN = [
  'matching/candidate-search.',
  'matching/transfer-credit.',
  'matching/attribution.',
  'expiry/sandbox-time.',
].map(file => `src/processes/${file}`);
/** Keys, accounts and people that a process meets for the first time, and what changed since. */
const MEMORY = 'src/kernel/access-reader';
/** The progress of read models and of their rebuilds. */
const AS_TIME_IS = ['get checkpoints', 'get projection_builds'];

/** One question to an engine, or a wait for a chain or a receiver. */
export class RoundTrip {
  /** The caller is looked for where somebody asks for it: that takes longer than the question. */
  private readonly at = new Error();

  constructor(
    /** `append payment_intent`, `get wallets`: a stream's category, or a collection. */
    readonly asked: string,
    /** Null for a wait. */
    readonly place: string | null,
    /** The things that were read: the access documents as one, a document, a stream, a list. Null for a write. */
    readonly read: readonly string[] | null,
  ) {}

  /** The calling file outside of the kernel. */
  get by(): string {
    return this.lines.map(line => ASKER.exec(line)?.[1]).find(file => file !== undefined) ?? 'unknown';
  }

  /** Whether the question is none of the request's own, or is asked once more for a reason. */
  get isApart(): boolean {
    const parts = [...WORKS, ...LOOKS_AGAIN, ...(this.place === 'access' ? [] : [MEMORY])];
    return this.lines.some(line => parts.some(part => line.includes(part)));
  }

  private get lines(): readonly string[] {
    return this.at.stack?.split('\n') ?? [];
  }
}

/** Notes each question to an engine, as it passes the port, for everybody who listens. */
export class RoundTrips {
  private readonly listening = new Set<RoundTrip[]>();

  /** The questions of `work`, in order. */
  async during(work: () => Promise<unknown>): Promise<readonly string[]> {
    return (await this.noting(work)).map(({ asked }) => asked);
  }

  async noting(work: () => Promise<unknown>): Promise<readonly RoundTrip[]> {
    const heard = this.listen();
    try {
      await work();
    } finally {
      this.leave(heard);
    }
    return heard.filter(({ place }) => place !== null);
  }

  /** From here on each question is added to the answer, and each wait. */
  listen(): readonly RoundTrip[] {
    const heard: RoundTrip[] = [];
    this.listening.add(heard);
    return heard;
  }

  leave(heard: readonly RoundTrip[]): void {
    this.listening.delete(heard as RoundTrip[]);
  }

  log(store: EventStore): EventStore {
    return this.watched(store, (name, asked) => {
      if (!OF_STREAMS.includes(name)) return;
      this.note(String(name), parseStreamName(String(asked[0])).category, asked);
    });
  }

  documents(documents: Documents): Documents {
    return {
      open: async <Body extends JsonObject>(spec: CollectionSpec) => {
        const collection = await documents.open<Body>(spec);
        return this.watched<Collection<Body>>(collection, (name, asked) => this.note(String(name), spec.name, asked));
      },
      switch: (...asked) => documents.switch(...asked),
      drop: name => documents.drop(name),
      close: () => documents.close(),
    };
  }

  /** A port whose answers take their time: those of all members, or of some. */
  waits<Port extends object>(port: Port, members?: readonly PropertyKey[]): Port {
    return this.watched(port, name => {
      if (members?.includes(name) !== false) this.tell(() => new RoundTrip(`wait ${String(name)}`, null, null));
    });
  }

  private note(name: string, place: string, asked: readonly unknown[]): void {
    this.tell(() => new RoundTrip(`${name} ${place}`, place, readingOf(name, place, asked)));
  }

  private tell(trip: () => RoundTrip): void {
    if (this.listening.size === 0) return;
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = FRAMES;
    const told = trip();
    Error.stackTraceLimit = limit;
    for (const heard of this.listening) heard.push(told);
  }

  private watched<Port extends object>(port: Port, note: (name: PropertyKey, asked: readonly unknown[]) => void): Port {
    return new Proxy(port, {
      get: (target, name): unknown => {
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member !== 'function') return member;
        return (...asked: unknown[]): unknown => {
          note(name, asked);
          return Reflect.apply(member, target, asked);
        };
      },
    });
  }
}

/**
 * The things that a request has read more than once, though nothing was written to their collection or category
 * between, and nothing was waited for. A document and the newer events of its stream are two readings, and one of each.
 * The read models' progress is asked as the time is.
 */
export function readTwice(trips: readonly RoundTrip[]): readonly string[] {
  const twice: string[] = [];
  const seen = new Map<string, Map<string, RoundTrip>>();
  for (const trip of trips) {
    const { place, read } = trip;
    if (place === null) seen.clear();
    else if (read === null) seen.delete(place);
    else {
      const known = seen.get(place) ?? new Map<string, RoundTrip>();
      seen.set(place, known);
      for (const thing of read) {
        const former = known.get(thing);
        if (former === undefined) known.set(thing, trip);
        else if (![former, trip].some(each => each.isApart))
          twice.push(`${thing} (by ${former.by}, then by ${trip.by})`);
      }
    }
  }
  return twice.filter(thing => !AS_TIME_IS.some(each => thing.startsWith(`${each} `)));
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
