import type { Actor, ActorRole, RecordedEvent } from './event';
import type { ClockStanding } from '../vocabulary/clock-standing';
import type { Mode, Universe } from '../vocabulary/modes';
import { parseIsoTime } from './clock';
import type { DecisionContext } from './decider';
import { invariant } from './invariant';

/** The actor of a command, its merchant, mode and time, and the request or event that it follows from. */
export type CommandContext = DecisionContext & {
  /** One id per command and stream: a repeated command finds its own events by it. */
  readonly commandId: string;
  /** True where the command cannot have been run before, so nothing that the command makes exists yet. */
  readonly isFirstTry?: boolean;
  /**
   * The time of the command's first try, in milliseconds. The ids of created objects carry this time, so that a later
   * try comes to the same ids.
   */
  readonly startedAt: number;
  readonly universe: Universe;
  readonly merchantId: string | null;
  /** The merchant's clock, where the command's request has read it. */
  readonly clock?: ClockStanding;
  readonly requestId: string | null;
  readonly correlationId: string;
  readonly causationId: string | null;
  readonly ip: string | null;
};

/** A context for a merchant, in a mode. */
export type MerchantContext = CommandContext & { readonly universe: Mode; readonly merchantId: string };
/** A context for a merchant above the modes, such as for disabling its account. */
export type AccountContext = CommandContext & { readonly universe: 'platform'; readonly merchantId: string };
/** A context for no merchant: an administrator's or operator's, or the service's own. */
export type PlatformContext<Of extends Universe = Universe> = CommandContext & {
  readonly universe: Of;
  readonly merchantId: null;
};
/** A context for a person above the modes: of a merchant, or of the operator. */
export type PersonContext = AccountContext | PlatformContext<'platform'>;

/** The same request's command to a further stream, or a further command to the same one. */
export function withCommand<Context extends CommandContext>(
  context: Context,
  suffix: string,
  actor: Actor = context.actor,
): Context {
  return { ...context, commandId: `${context.commandId}/${suffix}`, actor };
}

/** The context after a wait, in which the merchant's clock may be advanced. */
export function withoutClock<Context extends CommandContext>({
  clock: _,
  ...context
}: Context): Omit<Context, 'clock'> {
  return context;
}

/**
 * The context of the command that follows from an event in a further stream: the actor and the moment are the event's.
 * Two that may write at once need different command ids: of two appends, one must meet a conflict and read the other.
 */
export function continuedContext({ id, metadata }: RecordedEvent, commandId: string): MerchantContext {
  const { mode, merchant_id: merchantId, occurred_at: at, actor, ip } = metadata;
  invariant(mode !== 'platform' && merchantId !== null, `the event ${id} belongs to no merchant in a mode`);
  return {
    ...{ commandId, actor, merchantId, ip },
    startedAt: parseIsoTime(metadata.recorded_at),
    universe: mode,
    now: parseIsoTime(at),
    requestId: metadata.request_id,
    correlationId: metadata.correlation_id,
    causationId: id,
  };
}

/** A person of a merchant. */
export function userActor(userId: string): Actor {
  return { role: 'merchant', type: 'user', id: userId };
}

/** A person of the operator. */
export function adminActor(adminId: string): Actor {
  return { role: 'admin', type: 'admin', id: adminId };
}

/** Roles in which the service acts by itself; the specification fixes them and their edges. */
export type SystemRole = Extract<ActorRole, 'watcher' | 'matcher' | 'sweeper' | 'compliance'>;

/** Parts of the service that act by themselves. docs/actors.md says what each does. */
export const SYSTEM_PARTS = [
  'books', 'chain_watch', 'coverage', 'expiry', 'fees', 'invoices', 'keyring', 'matching', 'micro_deposits', 'namings',
  'screening', 'settlement', 'webhooks',
] as const; // prettier-ignore
export type SystemPart = (typeof SYSTEM_PARTS)[number];

/** Without a part, the role stands in its place. */
export function systemActor(role: SystemRole, part: SystemPart | null): Actor {
  return { role, type: 'system', id: part ?? role };
}

/**
 * The context of a command that no request made. Its id is random, because its decision follows from the state alone.
 * So a fact that came, went and came again is recorded again.
 */
export function systemContext<MerchantId extends string | null>(
  commandId: string,
  facts: {
    readonly actor: SystemRole;
    readonly part?: SystemPart | null;
    readonly mode: Mode;
    readonly merchantId: MerchantId;
    readonly now: number;
    /** The event that caused the command; the command keeps the event's correlation. */
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
