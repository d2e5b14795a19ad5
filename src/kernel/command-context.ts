import { randomUuid, type Entropy } from './entropy';
import type { Actor, Mode, Universe } from './event';
import type { DecisionContext } from './decider';

/** Who commands, for which merchant and mode, when by the mode's clock, and on behalf of which request or event. */
export type CommandContext = DecisionContext & {
  /** One per command and stream: a repeated command finds its own events by it. */
  readonly commandId: string;
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

/** The same request's command to a further stream, or a further command to the same one. */
export function withCommand(context: CommandContext, suffix: string, actor: Actor = context.actor): CommandContext {
  return { ...context, commandId: `${context.commandId}/${suffix}`, actor };
}

export const SYSTEM_ACTORS = {
  watcher: { role: 'watcher', type: 'system', id: 'watcher' },
  matcher: { role: 'matcher', type: 'system', id: 'matcher' },
  sweeper: { role: 'sweeper', type: 'system', id: 'sweeper' },
  compliance: { role: 'compliance', type: 'system', id: 'screening' },
} as const satisfies Record<string, Actor>;

/**
 * A command that no request made. Its id is random, because its decision follows from the state alone. So a fact which
 * came, went and came again is recorded again.
 */
export function systemContext(
  entropy: Entropy,
  facts: {
    readonly actor: keyof typeof SYSTEM_ACTORS;
    readonly mode: Mode;
    readonly merchantId: string | null;
    readonly now: number;
    readonly causationId?: string;
  },
): CommandContext {
  const commandId = randomUuid(entropy);
  return {
    commandId,
    startedAt: facts.now,
    actor: SYSTEM_ACTORS[facts.actor],
    universe: facts.mode,
    merchantId: facts.merchantId,
    now: facts.now,
    requestId: null,
    correlationId: commandId,
    causationId: facts.causationId ?? null,
    ip: null,
  };
}
