import type { Clock } from './clock';
import { isoTime } from './clock';
import type { CommandContext } from './command-context';
import { fold, type Decider } from './decider';
import { refuse, type ErrorCode } from './errors';
import {
  streamName,
  type DomainEvent,
  type EventMetadata,
  type NewEvent,
  type RecordedEvent,
  type Universe,
} from './event';
import { eventHash, GENESIS_HASH } from './hash-chain';
import { uuidV5 } from './ids';
import { invariant } from './invariant';
import { canonicalJson } from './json';
import { outageOf } from './outage';
import {
  OutcomeUnknown,
  START_OF_LOG,
  StoreUnavailable,
  WrongExpectedRevision,
  type EventStore,
} from './ports/event-store';
import { TurnsByKey } from './turns-by-key';
import { newestVersion, type Upcasts } from './upcasting';

/** Aggregates hold some dozens of events; a stream this long means that one decision's boundary is wrong. */
const STREAM_LIMIT = 4_096;
const CONFLICT_TRIES = 8;
/** Commands of a process that wait to write to one stream: of a flood, the newest are told to come again. */
const LINE_LIMIT = 256;
const RESEND_TRIES = 4;
const RETRY_STEP_MS = 5;
const FINDING_TRIES = 6;
const FIRST_FINDING_PAUSE_MS = 100;

/** An aggregate as the write path knows it: its rules, and how a stream of another merchant is refused. */
export type Aggregate<State, Command, Event extends DomainEvent> = Decider<State, Command, Event> & {
  /** The refusal for a merchant to whom the stream is not visible; null for streams that belong to no merchant. */
  readonly notFound: ErrorCode | null;
  /** Of event types that have had other shapes; all others have one version. */
  readonly upcasts?: Upcasts;
};

export type Loaded<State, Event extends DomainEvent> = {
  readonly state: State;
  /** -1 when the stream does not exist. */
  readonly revision: number;
  readonly history: readonly RecordedEvent<Event>[];
};

export type Executed<State, Event extends DomainEvent> = Loaded<State, Event> & {
  /** The events of this command, whether appended now or found as its own earlier work. */
  readonly events: readonly RecordedEvent<Event>[];
};

/** Brings the documents that mirror a stream to its newest revision; must not throw. */
export type MirrorWriter = (stream: string, history: readonly RecordedEvent[]) => Promise<void>;

/**
 * The one way to write: read, fold, decide, append at the revision just read, retry a conflict, bring the mirrors up to
 * date.
 */
export class WritePath {
  /** Streams that several commands of this process want to write to. */
  private readonly lines = new TurnsByKey();

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
    const history = (await this.store.readStream(stream, { limit: STREAM_LIMIT })) as readonly RecordedEvent<Event>[];
    invariant(history.length < STREAM_LIMIT, `${stream} has ${STREAM_LIMIT} events or more`);
    return { state: fold(aggregate, history), revision: history.length - 1, history };
  }

  /**
   * Throws what the decision refuses with, and Refusal provider_unavailable where others change the stream all the
   * time: nothing is recorded then. `known` is the stream as it was read before, which spares the first reading of it.
   */
  async execute<State, Command, Event extends DomainEvent>(
    aggregate: Aggregate<State, Command, Event>,
    id: string,
    command: Command,
    context: CommandContext,
    known?: Loaded<State, Event>,
  ): Promise<Executed<State, Event>> {
    const stream = streamName(context.universe, aggregate.category, id);
    const attempt = async (from?: Loaded<State, Event>) =>
      this.attempt(aggregate, id, command, context, from ?? (await this.load(aggregate, context.universe, id)));
    // A stream that nobody else writes to has no line: the first try goes at once.
    if (this.lines.length(stream) === 0) {
      const executed = await attempt(known);
      if (!(executed instanceof WrongExpectedRevision)) return executed;
    }
    if (this.lines.length(stream) >= LINE_LIMIT) throw crowded();
    return this.lines.run(stream, async () => {
      for (let tries = 1; ; tries++) {
        const executed = await attempt();
        if (!(executed instanceof WrongExpectedRevision)) return executed;
        if (tries >= CONFLICT_TRIES) throw crowded(executed);
        await this.clock.wait(retryPauseMs(context.commandId, tries));
      }
    });
  }

  /** Decides and appends once; answers the conflict where another writer was first. */
  private async attempt<State, Command, Event extends DomainEvent>(
    aggregate: Aggregate<State, Command, Event>,
    id: string,
    command: Command,
    context: CommandContext,
    loaded: Loaded<State, Event>,
  ): Promise<Executed<State, Event> | WrongExpectedRevision> {
    const stream = streamName(context.universe, aggregate.category, id);
    const owner = loaded.history[0]?.metadata.merchant_id;
    if (aggregate.notFound && owner !== undefined && owner !== context.merchantId) throw refuse(aggregate.notFound);
    const own = loaded.history.filter(event => event.metadata.command_id === context.commandId);
    if (own.length > 0) return { ...loaded, events: own };
    const decided = aggregate.decide(command, loaded.state, context);
    if (decided.length === 0) return { ...loaded, events: [] };
    const appended = this.seal(stream, loaded.history.at(-1), decided, context, aggregate.upcasts);
    try {
      await this.appendSurely(stream, loaded.revision, appended);
    } catch (error) {
      if (error instanceof WrongExpectedRevision) return error;
      throw error;
    }
    const history = [...loaded.history, ...appended];
    await this.writeMirrors(stream, history);
    const state = appended.reduce<State>((current, event) => aggregate.evolve(current, event), loaded.state);
    return { state, revision: history.length - 1, history, events: appended };
  }

  /**
   * For a reader that found a mirror behind its stream: a slower process may have put back a document that was removed.
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
   * For a stream that is looked for among documents, and not by its name. The command must not be answered before
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
   * Sends the same bytes again while the outcome is unknown, also over a store that went away since: a repetition is
   * the no-op it is.
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

  /** Gives decided facts their ids, metadata and place in the stream's hash chain. */
  private seal<Event extends DomainEvent>(
    stream: string,
    last: RecordedEvent | undefined,
    decided: readonly Event[],
    context: CommandContext,
    upcasts: Upcasts = {},
  ): readonly RecordedEvent<Event>[] {
    let previousHash = last?.metadata.hash ?? GENESIS_HASH;
    const firstRevision = (last?.revision ?? -1) + 1;
    const recordedAt = isoTime(this.clock.now());
    return decided.map((event, index) => {
      const revision = firstRevision + index;
      const facts = [stream, context.commandId, revision, index, event.type, canonicalJson(event.data)];
      const unsealed = {
        id: uuidV5(facts.join('\n')),
        type: event.type,
        data: event.data,
        metadata: {
          ...baseMetadata(context, recordedAt),
          schema: newestVersion(upcasts, event.type),
          prev_hash: previousHash,
        },
      };
      previousHash = eventHash(stream, revision, unsealed);
      const metadata: EventMetadata = { ...unsealed.metadata, hash: previousHash };
      // The position is the log's to give; mirrors go by the revision.
      return { ...event, id: unsealed.id, stream, revision, position: START_OF_LOG, metadata };
    });
  }
}

function crowded(cause?: Error): Error {
  return refuse('provider_unavailable', { message: 'Others are changing the same object at this moment.', cause });
}

/** Grows with each try, and differs from command to command: two processes that met once do not meet again. */
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

function baseMetadata(
  context: CommandContext,
  recordedAt: string,
): Omit<EventMetadata, 'schema' | 'prev_hash' | 'hash'> {
  return {
    actor: context.actor,
    merchant_id: context.merchantId,
    mode: context.universe,
    command_id: context.commandId,
    request_id: context.requestId,
    correlation_id: context.correlationId,
    causation_id: context.causationId,
    occurred_at: isoTime(context.now),
    recorded_at: recordedAt,
    ip: context.ip,
  };
}
