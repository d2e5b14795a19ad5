import type { Actor, ActorRole, Mode, RecordedEvent, Universe } from './event';
import type { DecisionContext } from './decider';

/** Who commands, for which merchant and mode, when by the mode's clock, and on behalf of which request or event. */
export type CommandContext = DecisionContext & {
  /** One per command and stream: a repeated command finds its own events by it. */
  readonly commandId: string;
  /** True where the command cannot have been run before, so what it makes is not there yet. */
  readonly isFirstTry?: boolean;
  /**
   * When the command was first asked for, in milliseconds. The ids of what the command creates carry this time, so that
   * a later try comes to the same ids.
   */
  readonly startedAt: number;
  readonly universe: Universe;
  readonly merchantId: string | null;
  readonly requestId: string | null;
  readonly correlationId: string;
  readonly causationId: string | null;
  readonly ip: string | null;
};

/** For a merchant, in a mode. */
export type MerchantContext = CommandContext & { readonly universe: Mode; readonly merchantId: string };
/** For a merchant, in what stands above the modes, such as its settings. */
export type AccountContext = CommandContext & { readonly universe: 'platform'; readonly merchantId: string };
/** For no merchant: an administrator's or operator's, or the service's own. */
export type PlatformContext<Of extends Universe = Universe> = CommandContext & {
  readonly universe: Of;
  readonly merchantId: null;
};

/** The same request's command to a further stream, or a further command to the same one. */
export function withCommand<Context extends CommandContext>(
  context: Context,
  suffix: string,
  actor: Actor = context.actor,
): Context {
  return { ...context, commandId: `${context.commandId}/${suffix}`, actor };
}

/** Roles in which the service acts by itself; the specification fixes them and their edges. */
export type SystemRole = Extract<ActorRole, 'watcher' | 'matcher' | 'sweeper' | 'compliance'>;

/** Parts of the service that act by themselves. docs/actors.md says what each does. */
export const SYSTEM_PARTS = [
  'chain_watch', 'coverage', 'expiry', 'matching', 'micro_deposits', 'namings', 'screening', 'settlement', 'webhooks',
] as const; // prettier-ignore
export type SystemPart = (typeof SYSTEM_PARTS)[number];

/** Without a part, the role stands in its place. */
export function systemActor(role: SystemRole, part: SystemPart | null): Actor {
  return { role, type: 'system', id: part ?? role };
}

/**
 * A command that no request made. Its id is random, because its decision follows from the state alone. So a fact which
 * came, went and came again is recorded again.
 */
export function systemContext<MerchantId extends string | null>(
  commandId: string,
  facts: {
    readonly actor: SystemRole;
    readonly part?: SystemPart | null;
    readonly mode: Mode;
    readonly merchantId: MerchantId;
    readonly now: number;
    /** The event that brought it about, whose correlation it carries on. */
    readonly cause?: RecordedEvent | null;
  },
): CommandContext & { readonly universe: Mode; readonly merchantId: MerchantId } {
  const { actor, part = null, mode, merchantId, now, cause = null } = facts;
  return {
    commandId,
    startedAt: now,
    actor: systemActor(actor, part),
    universe: mode,
    merchantId,
    now,
    requestId: null,
    correlationId: cause?.metadata.correlation_id ?? commandId,
    causationId: cause?.id ?? null,
    ip: null,
  };
}
