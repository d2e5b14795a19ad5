import { systemContext, type CommandContext, type SystemPart, type SystemRole } from './command-context';
import { randomUuid, type Entropy } from './entropy';
import type { DomainEvent, RecordedEvent } from './event';
import type { Mode } from '../vocabulary/modes';
import type { KnownClock, MerchantClocks } from './merchant-clocks';
import type { Loaded } from './loaded';
import { ownerOf, type Aggregate, type Executed, type WritePath } from './write-path';

/** A stream as it was just read, and the stream's merchant, or null. */
export type Read<State, Event extends DomainEvent> = Loaded<State, Event> & { readonly owner: string | null };

export type SystemPlanned<Command> = {
  readonly command: Command;
  readonly actor: SystemRole;
  /** The merchant of the fact, where its stream belongs to no merchant or does not exist yet. */
  readonly merchantId?: string | null;
};

/**
 * Pure: the command follows from the read stream and the found facts alone. Null where the state asks for no command.
 */
type SystemPlan<State, Command, Event extends DomainEvent, Found> = (
  read: Read<State, Event>,
  found: Found,
) => SystemPlanned<Command> | null;

export type Occasion = {
  readonly mode: Mode;
  /** The event that caused a command, whose correlation the command keeps; null where there was none. */
  readonly cause: RecordedEvent | null;
  readonly clock?: KnownClock;
};

type SystemExecution<State, Event extends DomainEvent, Found> = Occasion & {
  /**
   * Reads the facts of other streams and of documents for the plan. Each try calls it after reading the stream; nothing
   * is written.
   */
  readonly find?: (read: Read<State, Event>) => Promise<Found>;
  /** The moment by the merchant's clock, where it is known already. */
  readonly nowMs?: number;
  /** The stream as it was read before, which spares the first reading of it. */
  readonly known?: Loaded<State, Event>;
};

/**
 * Commands that no request made. Each follows from the stream as a try has read it. So a race with another writer is
 * decided anew, and repaired nowhere else.
 */
export class SystemCommands {
  constructor(
    private readonly writes: WritePath,
    private readonly clock: MerchantClocks,
    private readonly entropy: Entropy,
    /** Named in the actor's id; without a part, the role is named there. */
    private readonly part: SystemPart | null = null,
  ) {}

  /** The same commands in the name of a part of the service. */
  of(part: SystemPart): SystemCommands {
    return new SystemCommands(this.writes, this.clock, this.entropy, part);
  }

  /** A stream and its owner, for a plan's `find`. */
  async read<State, Command, Event extends DomainEvent>(
    aggregate: Aggregate<State, Command, Event>,
    mode: Mode,
    id: string,
  ): Promise<Read<State, Event>> {
    const loaded = await this.writes.load(aggregate, mode, id);
    return { ...loaded, owner: ownerOf(aggregate, loaded) };
  }

  /** A context for commands of which each goes to another stream; the moment is now by the merchant's clock. */
  async as<MerchantId extends string | null>(
    actor: SystemRole,
    mode: Mode,
    merchantId: MerchantId,
    { cause = null, nowMs }: { readonly cause?: RecordedEvent | null; readonly nowMs?: number } = {},
  ): Promise<CommandContext & { readonly universe: Mode; readonly merchantId: MerchantId }> {
    const now = nowMs ?? (await this.clock.merchantNow(mode, merchantId));
    const { part } = this;
    return systemContext(randomUuid(this.entropy), { actor, part, mode, merchantId, now, cause });
  }

  /**
   * All tries have one command id, so that the events of a try whose answer was lost are found. Answers also the last
   * try's findings. Throws as WritePath.executePlan does, and the errors of `find`.
   */
  async execute<State, Command, Event extends DomainEvent, Found = undefined>(
    aggregate: Aggregate<State, Command, Event>,
    id: string,
    plan: SystemPlan<State, Command, Event, Found>,
    { mode, cause, clock, find, nowMs, known }: SystemExecution<State, Event, Found>,
  ): Promise<Executed<State, Event> & { readonly found: Found }> {
    const commandId = randomUuid(this.entropy);
    const { part } = this;
    let found = undefined as Found;
    // The plan is pure, so it can run here: its answer names the merchant whose clock tells the moment.
    const findNext = async (loaded: Loaded<State, Event>) => {
      const read = { ...loaded, owner: ownerOf(aggregate, loaded) };
      if (find) found = await find(read);
      const next = plan(read, found);
      if (next === null) return null;
      const merchantId = read.owner ?? next.merchantId ?? null;
      return { ...next, merchantId, now: nowMs ?? (await this.clock.merchantNow(mode, merchantId, clock)) };
    };
    const executed = await this.writes.executePlan(
      aggregate,
      id,
      (_, next: Awaited<ReturnType<typeof findNext>>) =>
        next && { command: next.command, context: systemContext(commandId, { ...next, part, mode, cause }) },
      { universe: mode, commandId, isFirstTry: true },
      { find: findNext, ...(known && { known }) },
    );
    return { ...executed, found };
  }
}
