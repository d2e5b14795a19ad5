import type { Clock } from '../../../src/kernel/clock';
import type { CommandContext } from '../../../src/kernel/command-context';
import type { Documents } from '../../../src/kernel/ports/documents';
import type { EventStore } from '../../../src/kernel/ports/event-store';
import type { Log } from '../../../src/kernel/ports/log';
import { streamId, type Gathering, type Mirror, type Projection } from '../../../src/kernel/projection';
import { WritePath, type Aggregate, type MirrorWriter } from '../../../src/kernel/write-path';
import { ProjectionRunner } from '../../../projections/runner/projection-runner';
import { mirrorWriter, StoredReadModels } from '../../../projections/runner/read-models';
import { RecordingLog } from '../../support/fixture-doubles';
import { MemoryDocuments } from '../../support/memory-documents';
import { MemoryEventStore } from '../../support/memory-event-store';
import { SteppedClock } from './stepped-clock';

export type TallyEvent =
  | { readonly type: 'TallyOpened'; readonly data: { readonly owner: string } }
  | { readonly type: 'TallyRaised'; readonly data: { readonly by: number } }
  | { readonly type: 'TallyClosed'; readonly data: { readonly reason: string } };

/** Yields the told changes: the runner, not the rules, is under test. */
export const tally: Aggregate<number, readonly TallyEvent[], TallyEvent> = {
  category: 'tally',
  notFound: null,
  initial: 0,
  decide: events => events,
  evolve: state => state + 1,
};

export type TallyDocument = { readonly owner: string; readonly sum: number; readonly raises: number };

/** Mirrors a stream. The sum is sensitive to an event that is applied twice, or left out. */
export const tallies: Mirror<TallyDocument, TallyEvent> = {
  name: 'tallies',
  version: 1,
  categories: ['tally'],
  mirrors: true,
  key: streamId,
  indexes: { by_owner: ['owner', 'id'] },
  on: {
    TallyOpened: (_, { data }) => ({ owner: data.owner, sum: 0, raises: 0 }),
    TallyRaised: (doc, { data }) => doc && { ...doc, sum: doc.sum + data.by, raises: doc.raises + 1 },
    TallyClosed: null,
  },
};

export type BookDocument = { readonly raises: number; readonly last: string };

/** One document for all raises of a universe's tallies, made of many streams. */
export const books: Gathering<BookDocument, TallyEvent> = {
  name: 'books',
  version: 1,
  categories: ['tally'],
  mirrors: false,
  key: event => `book-${event.stream.slice(-1)}`,
  indexes: { by_raises: ['raises', 'id'] },
  on: {
    TallyRaised: (doc, { stream }) => ({
      raises: (doc?.raises ?? 0) + 1,
      last: stream,
    }),
  },
};

/** Documents come and go. */
export const openTallies: Gathering<{ readonly since: string }, TallyEvent> = {
  name: 'open_tallies',
  version: 1,
  categories: ['tally'],
  mirrors: false,
  key: event => event.stream,
  indexes: {},
  on: {
    TallyOpened: (_, { id }) => ({ since: id }),
    TallyClosed: () => null,
  },
};

export const PROJECTIONS: readonly Projection[] = [tallies, books, openTallies];

export const opened = (owner: string): TallyEvent => ({ type: 'TallyOpened', data: { owner } });
export const raised = (by: number): TallyEvent => ({ type: 'TallyRaised', data: { by } });
export const closed: TallyEvent = { type: 'TallyClosed', data: { reason: 'done' } };

export type Engines = { readonly store: EventStore; readonly documents: Documents };

/** Tallies over given engines, those in memory unless told. */
export class Tallies {
  readonly clock = new SteppedClock();
  readonly log = new RecordingLog();
  readonly store: EventStore;
  readonly documents: Documents;
  readonly readModels: StoredReadModels;
  private readonly runners: ProjectionRunner[] = [];
  private commands = 0;

  constructor(engines: Engines = { store: new MemoryEventStore(), documents: new MemoryDocuments() }) {
    this.store = engines.store;
    this.documents = engines.documents;
    this.readModels = new StoredReadModels(this.documents, this.store, this.clock, PROJECTIONS);
  }

  get parts(): { store: EventStore; documents: Documents; clock: Clock; log: Log } {
    return { store: this.store, documents: this.documents, clock: this.clock, log: this.log };
  }

  runner(projections: readonly Projection[] = PROJECTIONS, engines: Partial<Engines> = {}): ProjectionRunner {
    const runner = new ProjectionRunner({ ...this.parts, ...engines, projections });
    this.runners.push(runner);
    runner.start();
    return runner;
  }

  /** Appends without touching any document, as if the process had died right after. */
  async append(id: string, ...events: readonly TallyEvent[]): Promise<void> {
    await this.write(id, events, async () => undefined);
  }

  /** Appends as production does: the mirrors are written before the answer. */
  async command(id: string, ...events: readonly TallyEvent[]): Promise<void> {
    await this.write(id, events, mirrorWriter(this.documents, PROJECTIONS, this.log));
  }

  async write(id: string, events: readonly TallyEvent[], mirrors: MirrorWriter): Promise<void> {
    await new WritePath(this.store, this.clock, mirrors).execute(tally, id, events, this.context());
  }

  /** Resolves once every projection of the runner has the whole log. */
  async caughtUp(runner: ProjectionRunner, projections: readonly Projection[] = PROJECTIONS): Promise<void> {
    const head = await this.store.lastPosition();
    await Promise.all(projections.map(({ name }) => runner.waitFor(name, head, 60_000)));
  }

  async stopAll(): Promise<void> {
    await Promise.all(this.runners.splice(0).map(runner => runner.stop()));
  }

  private context(): CommandContext {
    const commandId = `command-${++this.commands}`;
    return {
      commandId,
      actor: { role: 'api', type: 'api_key', id: 'key_1' },
      universe: 'test',
      merchantId: null,
      startedAt: this.clock.now(),
      now: this.clock.now(),
      requestId: null,
      correlationId: commandId,
      causationId: null,
      ip: null,
    };
  }
}
