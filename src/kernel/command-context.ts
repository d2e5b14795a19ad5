import type { Actor, Universe } from './event';
import type { DecisionContext } from './decider';

/** Who commands, for which merchant and mode, when by the mode's clock, and on behalf of which request or event. */
export type CommandContext = DecisionContext & {
  /** One per command and stream: a repeated command finds its own events by it. */
  readonly commandId: string;
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
