import { systemContext, type CommandContext, type SystemPart, type SystemRole } from './command-context';
import { randomUuid, type Entropy } from './entropy';
import type { DomainEvent, Mode, RecordedEvent } from './event';
import type { MerchantClocks } from './merchant-clocks';
import type { Loaded } from './loaded';
import { ownerOf, type Aggregate, type Executed, type WritePath } from './write-path';

/** A stream as it was just read, and the merchant to whom it belongs, or null. */
export type Read<State, Event extends DomainEvent> = Loaded<State, Event> & { readonly owner: string | null };

export type SystemPlanned<Command> = {
  readonly command: Command;
  readonly actor: SystemRole;
  /** Whom the fact is about, where its stream belongs to no merchant or does not exist yet. */
  readonly merchantId?: string | null;
};

/** Pure: the command follows from what was read and found alone. Null where the state asks for none. */
export type SystemPlan<State, Command, Event extends DomainEvent, Found> = (
  read: Read<State, Event>,
  found: Found,
) => SystemPlanned<Command> | null;

/** `cause`: the event that brought a command about, whose story it goes on with; null where none did. */
export type Occasion = { readonly mode: Mode; readonly cause: RecordedEvent | null };

export type SystemExecution<State, Event extends DomainEvent, Found> = Occasion & {
  /** What the plan needs of other streams and of documents: only reads, after the stream was read, in each try. */
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
    /** Told in the actor's id; without a part, the role is told there. */
    private readonly part: SystemPart | null = null,
  ) {}

  /** The same for a part of the service, which its events name. */
  of(part: SystemPart): SystemCommands {
    return new SystemCommands(this.writes, this.clock, this.entropy, part);
  }

  /** A stream and its owner, for what a plan has to find. */
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
   * One command id for all tries, so that the events of a try whose answer was lost are found. Answers what the last
   * try found as well. Throws as WritePath.executePlan does, and what `find` throws.
   */
  async execute<State, Command, Event extends DomainEvent, Found = undefined>(
    aggregate: Aggregate<State, Command, Event>,
    id: string,
    plan: SystemPlan<State, Command, Event, Found>,
    { mode, cause, find, nowMs, known }: SystemExecution<State, Event, Found>,
  ): Promise<Executed<State, Event> & { readonly found: Found }> {
    const commandId = randomUuid(this.entropy);
    let found = undefined as Found;
    const planned = async (loaded: Loaded<State, Event>) => {
      const read = { ...loaded, owner: ownerOf(aggregate, loaded) };
      if (find) found = await find(read);
      const next = plan(read, found);
      if (next === null) return null;
      const merchantId = read.owner ?? next.merchantId ?? null;
      const now = nowMs ?? (await this.clock.merchantNow(mode, merchantId));
      const { part } = this;
      const context = systemContext(commandId, { actor: next.actor, part, mode, merchantId, now, cause });
      return { command: next.command, context };
    };
    const by = { universe: mode, commandId, isFirstTry: true };
    const executed = await this.writes.executePlan(aggregate, id, planned, by, known);
    return { ...executed, found };
  }
}
