import { AsyncLocalStorage } from 'node:async_hooks';
import type { JsonObject } from '../../src/vocabulary/json';
import type { Collection, CollectionSpec, Documents } from '../../src/kernel/ports/documents';
import type { EventStore } from '../../src/kernel/ports/event-store';
import type { TurnsByKey } from '../../src/kernel/turns-by-key';

/** Calls whose first argument is a stream; other questions to the log belong to no request. */
const OF_STREAMS: readonly PropertyKey[] = ['append', 'readStream'];

/** Writes that a rival may win. */
const RIVALLED: readonly PropertyKey[] = ['append', 'insert', 'replace', 'deleteAt'];

/** Frames enough to come from a port to its caller, over every await between. */
const FRAMES = 60;
const ASKER = /\((?:.*\/)?((?:src\/(?:watchers|processes|modules|platform\/http)|projections)\/[^:]+)\.ts:/;

/**
 * Readings that are made once more, by the file that makes them. The search for candidates looks again where the lists
 * were behind the log at first. A transfer may move while it is credited, so it is looked at after its credit, and
 * where a naming meets a credited one. A clock that is advanced asks for the coverage until the watcher has seen the
 * newest block of a local chain.
 */
const ASKED_AGAIN: Readonly<Record<string, RegExp>> = {
  'src/processes/matching/candidate-search.': /^(?:list (?:wallets|payment_intents) |access documents$)/,
  'src/processes/matching/transfer-credit.': /^readStream transfer /,
  'src/processes/matching/attribution.': /^readStream transfer /,
  'src/processes/expiry/sandbox-time.': /^get coverage /,
  // Keys, accounts and people that a process meets for the first time, and what changed since.
  'src/kernel/access-reader.': /^readStream /,
};
/** The progress of read models and of their rebuilds. */
const MAY_REPEAT = ['get checkpoints', 'get projection_builds'];

/** The questions of the request that the code runs for. */
const ofRequest = new AsyncLocalStorage<RoundTrip[]>();

/** One question to an engine, or a wait for a chain, a receiver, a rival or a pause. */
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

  /** Whether the reading is one that is made once more, or may be. */
  isAskedAgain(thing: string): boolean {
    const again = Object.entries(ASKED_AGAIN).filter(([, things]) => things.test(thing));
    return again.length > 0 && this.lines.some(line => again.some(([file]) => line.includes(file)));
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
      this.note(String(name), categoryIn(String(asked[0])), asked);
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

  /** An act that comes behind others of its key waits for them. */
  turns(lines: TurnsByKey): void {
    const run = lines.run.bind(lines);
    const noting: TurnsByKey['run'] = (key, act) => {
      if (lines.length(key) > 0) this.tell(() => new RoundTrip('wait for a turn', null, null));
      return run(key, act);
    };
    Object.assign(lines, { run: noting });
  }

  /** A call of that member belongs to no request: what it sets off is a work of its own. */
  setOff<Part extends object>(part: Part, member: keyof Part & string): void {
    const work = part[member] as (...asked: unknown[]) => unknown;
    Object.assign(part, { [member]: (...asked: unknown[]) => ofRequest.exit(() => work.apply(part, asked)) });
  }

  private note(name: string, place: string, asked: readonly unknown[]): void {
    this.tell(() => new RoundTrip(`${name} ${place}`, place, readingOf(name, place, asked)));
  }

  private tell(trip: () => RoundTrip): void {
    const own = ofRequest.getStore();
    const heardBy = own ? [...this.listening, own] : [...this.listening];
    if (heardBy.length === 0) return;
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = FRAMES;
    const told = trip();
    Error.stackTraceLimit = limit;
    for (const heard of heardBy) heard.push(told);
  }

  /** A race that was lost is decided anew, by what is read anew. */
  private async tellOfLoss(written: Promise<unknown>): Promise<void> {
    const isLost = await written.then(
      answer => answer === false,
      () => true,
    );
    if (isLost) this.tell(() => new RoundTrip('wait for a rival', null, null));
  }

  private watched<Port extends object>(port: Port, note: (name: PropertyKey, asked: readonly unknown[]) => void): Port {
    return new Proxy(port, {
      get: (target, name): unknown => {
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member !== 'function') return member;
        return (...asked: unknown[]): unknown => {
          note(name, asked);
          const answer: unknown = Reflect.apply(member, target, asked);
          if (RIVALLED.includes(name)) void this.tellOfLoss(answer as Promise<unknown>);
          return answer;
        };
      },
    });
  }
}

/** Runs `work` for a request: its questions, and those of all that it begins, are added to `heard`. */
export function forRequest(heard: RoundTrip[], work: () => void): void {
  ofRequest.run(heard, work);
}

/**
 * The things that a request has read more than once, though nothing was written to their collection or category
 * between, and nothing was waited for. A document and the newer events of its stream are two readings, and one of each.
 * The read models' progress may be asked for again.
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
        if (former === undefined || former.isAskedAgain(thing)) known.set(thing, trip);
        else if (!trip.isAskedAgain(thing)) twice.push(`${thing} (by ${former.by}, then by ${trip.by})`);
      }
    }
  }
  return [...new Set(twice)].filter(thing => !MAY_REPEAT.some(each => thing.startsWith(`${each} `)));
}

/** Also of a name that no stream can have: the service itself says what is wrong with it. */
function categoryIn(stream: string): string {
  return /^\w+\.(\w+)-/.exec(stream)?.[1] ?? stream;
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
