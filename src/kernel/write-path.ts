import type { Clock } from './clock';
import type { CommandContext } from './command-context';
import type { Decider } from './decider';
import { refuse, type ErrorCode } from '../vocabulary/errors';
import { streamName, type DomainEvent, type NewEvent, type RecordedEvent } from './event';
import type { Universe } from '../vocabulary/modes';
import { uuidV5 } from '../vocabulary/ids';
import { invariant } from './invariant';
import { eventsOfCommand, loadStream, type Loaded } from './loaded';
import { outageOf } from './outage';
import { OutcomeUnknown, StoreUnavailable, WrongExpectedRevision, type EventStore } from './ports/event-store';
import { RecentStreams } from './recent-streams';
import { sealedEvents } from './sealed-events';
import { TurnsByKey } from './turns-by-key';
import type { Upcasts } from './upcasting';

const CONFLICT_TRIES = 8;
/** Commands of a process that wait to write to one stream. In a flood, the newest commands are told to come again. */
const LINE_LIMIT = 256;
const RESEND_TRIES = 4;
const RETRY_STEP_MS = 5;
const FINDING_TRIES = 6;
const FIRST_FINDING_PAUSE_MS = 100;

/** An aggregate as the write path knows it: its rules, and the refusal for another merchant's stream. */
export type Aggregate<State, Command, Event extends DomainEvent> = Decider<State, Command, Event> & {
  /** The refusal for a merchant who cannot see the stream; null for streams that belong to no merchant. */
  readonly notFound: ErrorCode | null;
  /** The upcasts of event types that have had other shapes; all other types have one version. */
  readonly upcasts?: Upcasts;
  /** Each event tells the whole state. So the newest events are enough, and the stream may grow without a limit. */
  readonly restates?: true;
  /** A stream takes one append in all: no later command needs it in memory. */
  readonly isWrittenOnce?: true;
};

export type Executed<State, Event extends DomainEvent> = Loaded<State, Event> & {
  /** The events of this command, whether appended now or found as its own earlier work. */
  readonly events: readonly RecordedEvent<Event>[];
};

/** A stream that nobody can have written to. A caller that is mistaken meets a conflict, and reads the stream. */
export function unwritten<State, Event extends DomainEvent>({
  initial,
}: Pick<Aggregate<State, never, Event>, 'initial'>): Loaded<State, Event> {
  return { state: initial, revision: -1, history: [] };
}

/** The part of a CommandContext that names the writer of a stream. */
export type Executor = Pick<CommandContext, 'universe' | 'commandId' | 'isFirstTry'> & {
  /** A stream of any other merchant is refused. Absent where the service acts for the owner of any stream. */
  readonly merchantId?: string | null;
};

export type Planned<Command> = { readonly command: Command; readonly context: CommandContext };

/**
 * The wish of a stream as it stands, by what was read and found alone; null where there is none. Pure; throws the
 * refusals of its caller. Each try runs the plan anew, on the stream as that try has read it.
 */
export type Plan<State, Command, Event extends DomainEvent, Found = undefined> = (
  loaded: Loaded<State, Event>,
  found: Found,
) => Planned<Command> | null;

/**
 * Reads a plan's needs of other streams, of documents and of chains. Each try calls it anew, after the stream was read.
 * The function writes nothing, since the other commands of the stream wait for it.
 */
type Find<State, Event extends DomainEvent, Found> = (loaded: Loaded<State, Event>) => Promise<Found>;

export type PlanExecution<State, Event extends DomainEvent, Found> = {
  readonly find?: Find<State, Event, Found>;
  /** The stream as it was read before, which spares the first reading of it. */
  readonly known?: Loaded<State, Event>;
  /** The stream is read first: a refusal from memory would be decided again, and `find` would be called twice. */
  readonly readsFirst?: boolean;
};

/** The parts of a command that stay the same from try to try. */
type Writing<State, Command, Event extends DomainEvent, Found> = {
  readonly aggregate: Aggregate<State, Command, Event>;
  readonly stream: string;
  readonly plan: Plan<State, Command, Event, Found>;
  readonly executor: Executor;
  readonly find: Find<State, Event, Found> | undefined;
};

/** The merchant of a stream; null for a stream that has none, or does not exist. */
export function ownerOf<State, Event extends DomainEvent>(
  { notFound }: Pick<Aggregate<State, never, Event>, 'notFound'>,
  { history }: Pick<Loaded<State, Event>, 'history'>,
): string | null {
  return notFound === null ? null : (history[0]?.metadata.merchant_id ?? null);
}

/** Brings the documents that mirror a stream to its newest revision; must not throw. */
export type MirrorWriter = (stream: string, history: readonly RecordedEvent[]) => Promise<void>;

/**
 * The one way to write: read, fold, decide, append at the revision just read, retry a conflict, bring the mirrors up to
 * date.
 */
export class WritePath {
  /** Streams that several commands of this process want to write to. */
  private readonly lines = new TurnsByKey();
  private readonly recent = new RecentStreams();

  constructor(
    private readonly store: EventStore,
    private readonly clock: Clock,
    private readonly writeMirrors: MirrorWriter,
  ) {}

  async load<State, Command, Event extends DomainEvent>(
    aggregate: Aggregate<State, Command, Event>,
    universe: Universe,
    id: string,
  ): Promise<Loaded<State, Event>> {
    const stream = streamName(universe, aggregate.category, id);
    const loaded = await loadStream(this.store, aggregate, stream);
    this.recent.keep(stream, loaded);
    return loaded;
  }

  /** The same as `executePlan`, for a command that does not depend on the stream's state. */
  execute<State, Command, Event extends DomainEvent>(
    aggregate: Aggregate<State, Command, Event>,
    id: string,
    command: Command,
    context: CommandContext,
    known?: Loaded<State, Event>,
  ): Promise<Executed<State, Event>> {
    return this.executePlan(aggregate, id, () => ({ command, context }), context, known && { known });
  }

  /**
   * Throws the refusal of plan or decision, and the faults of `find`. Throws Refusal provider_unavailable where other
   * writers change the stream all the time. No event is recorded then.
   */
  async executePlan<State, Command, Event extends DomainEvent, Found = undefined>(
    aggregate: Aggregate<State, Command, Event>,
    id: string,
    plan: Plan<State, Command, Event, Found>,
    executor: Executor,
    { find, known, readsFirst = false }: PlanExecution<State, Event, Found> = {},
  ): Promise<Executed<State, Event>> {
    const stream = streamName(executor.universe, aggregate.category, id);
    const writing = { aggregate, stream, plan, executor, find };
    const attempt = async (from?: Loaded<State, Event>) =>
      this.attempt(writing, from ?? (await this.load(aggregate, executor.universe, id)));
    // A stream without other writers has no line: the first try goes at once.
    if (this.lines.length(stream) === 0) {
      const tried = known || readsFirst ? null : await this.attemptFromMemory(writing);
      const executed = tried ?? (await attempt(known));
      if (!(executed instanceof WrongExpectedRevision)) return executed;
    }
    if (this.lines.length(stream) >= LINE_LIMIT) throw crowded();
    return this.lines.run(stream, async () => {
      for (let tries = 1; ; tries++) {
        const executed = await attempt();
        if (!(executed instanceof WrongExpectedRevision)) return executed;
        if (tries >= CONFLICT_TRIES) throw crowded(executed);
        await this.clock.wait(retryPauseMs(executor.commandId, tries));
      }
    });
  }

  /**
   * Decides on the stream as this process has last seen it, which spares the reading; the append proves the decision.
   * Null where nothing is appended: only a stream that was just read can refuse, or show that there is nothing to do. A
   * command that may have run before looks for its events in the log itself.
   */
  private async attemptFromMemory<State, Command, Event extends DomainEvent, Found>(
    writing: Writing<State, Command, Event, Found>,
  ): Promise<Executed<State, Event> | WrongExpectedRevision | null> {
    const { stream, executor } = writing;
    const known = executor.isFirstTry === true ? this.recent.get<State, Event>(stream) : undefined;
    if (known === undefined) return null;
    try {
      const executed = await this.attempt(writing, known);
      if (executed instanceof WrongExpectedRevision) this.recent.forget(stream);
      return executed instanceof WrongExpectedRevision || executed.events.length > 0 ? executed : null;
    } catch (error) {
      if (outageOf(error) === 'engine') throw error;
      return null;
    }
  }

  /** Finds, plans, decides and appends once; answers the conflict where another writer was first. */
  private async attempt<State, Command, Event extends DomainEvent, Found>(
    { aggregate, stream, plan, executor, find }: Writing<State, Command, Event, Found>,
    loaded: Loaded<State, Event>,
  ): Promise<Executed<State, Event> | WrongExpectedRevision> {
    const isOpenTo = (merchantId: string | null) =>
      aggregate.notFound === null || loaded.revision < 0 || ownerOf(aggregate, loaded) === merchantId;
    if (executor.merchantId !== undefined && aggregate.notFound && !isOpenTo(executor.merchantId))
      throw refuse(aggregate.notFound);
    const own = eventsOfCommand(loaded, executor.commandId);
    if (own.length > 0) return { ...loaded, events: own };
    const found = (find && (await find(loaded))) as Found;
    const planned = plan(loaded, found);
    if (planned === null) return { ...loaded, events: [] };
    const { command, context } = planned;
    invariant(isOpenTo(context.merchantId), `${stream} is not ${context.merchantId}'s`);
    invariant(context.commandId === executor.commandId, `${stream} is written to by ${executor.commandId}`);
    invariant(context.universe === executor.universe, `${stream} is not of ${context.universe}`);
    const decided = aggregate.decide(command, loaded.state, context);
    if (decided.length === 0) return { ...loaded, events: [] };
    const [last, recordedAtMs, upcasts] = [loaded.history.at(-1), this.clock.now(), aggregate.upcasts ?? {}];
    const appended = sealedEvents(decided, { stream, last, context, recordedAtMs, upcasts });
    try {
      await this.appendSurely(stream, loaded.revision, appended);
    } catch (error) {
      if (error instanceof WrongExpectedRevision) return error;
      throw error;
    }
    const history = [...loaded.history, ...appended];
    await this.writeMirrors(stream, history);
    const state = appended.reduce<State>((current, event) => aggregate.evolve(current, event), loaded.state);
    const executed = { state, revision: loaded.revision + appended.length, history };
    if (!aggregate.isWrittenOnce) this.recent.keep(stream, executed);
    return { ...executed, events: appended };
  }

  /**
   * Writes the mirrors anew for a reader that found one behind its stream: a slower process may have put back a removed
   * document.
   */
  async renewMirrors<State, Command, Event extends DomainEvent>(
    aggregate: Aggregate<State, Command, Event>,
    universe: Universe,
    id: string,
  ): Promise<void> {
    const { history } = await this.load(aggregate, universe, id);
    await this.writeMirrors(streamName(universe, aggregate.category, id), history);
  }

  /**
   * For a stream that readers find among documents, and not by its name. The command must not be answered before
   * `isFound` finds the stream there. So its mirrors are written anew until `isFound` does. Throws Refusal
   * provider_unavailable when the mirrors cannot be put, or read, for some three seconds.
   */
  async assertFound<State, Command, Event extends DomainEvent>(
    aggregate: Aggregate<State, Command, Event>,
    universe: Universe,
    id: string,
    isFound: () => Promise<boolean>,
  ): Promise<void> {
    const stream = streamName(universe, aggregate.category, id);
    for (let attempt = 0; !(await isFoundNow(isFound)); attempt++) {
      if (attempt >= FINDING_TRIES - 1)
        throw refuse('provider_unavailable', { message: `${stream} is written and cannot be found yet.` });
      await this.clock.wait(FIRST_FINDING_PAUSE_MS * 2 ** attempt);
      const { history } = await this.load(aggregate, universe, id);
      await this.writeMirrors(stream, history);
    }
  }

  /**
   * Sends the same bytes again while the outcome is unknown, also where the store has gone away since. A repetition has
   * no effect.
   */
  private async appendSurely(stream: string, revision: number, events: readonly NewEvent[]): Promise<void> {
    let unknown: OutcomeUnknown | null = null;
    for (let attempt = 1; ; attempt++) {
      try {
        await this.store.append(stream, revision < 0 ? 'no_stream' : revision, events);
        return;
      } catch (error) {
        if (error instanceof OutcomeUnknown) unknown = error;
        const isOpen: boolean = unknown !== null && (error === unknown || error instanceof StoreUnavailable);
        if (!isOpen) throw error;
        if (attempt >= RESEND_TRIES) throw unknown ?? error;
        await this.clock.wait(RETRY_STEP_MS * 10 ** attempt);
      }
    }
  }
}

function crowded(cause?: Error): Error {
  return refuse('provider_unavailable', { message: 'Others are changing the same object at this moment.', cause });
}

/**
 * The pause grows with each try, and differs from command to command: two processes that met once do not meet again.
 */
function retryPauseMs(commandId: string, tries: number): number {
  const share = Number.parseInt(uuidV5(`${commandId}\n${tries}`).slice(0, 4), 16) / 0x1_0000;
  return Math.ceil(RETRY_STEP_MS * tries * (1 + share));
}

async function isFoundNow(isFound: () => Promise<boolean>): Promise<boolean> {
  try {
    return await isFound();
  } catch (error) {
    if (outageOf(error) === null) throw error;
    return false;
  }
}
