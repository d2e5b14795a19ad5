import type { AccountContext } from '../../kernel/command-context';
import type { Actor } from '../../kernel/event';

type SessionCause = {
  readonly commandId: string;
  readonly merchantId: string;
  readonly actor: Actor;
  readonly ip: string | null;
  readonly requestId: string | null;
  readonly nowMs: number;
};

/** The service, for a stranger who is refused. */
export const SIGN_IN_ACTOR: Actor = { role: 'merchant', type: 'system', id: 'sign_in' };

/** The context of a session's own events. */
export function sessionContext({ commandId, merchantId, actor, ip, requestId, nowMs }: SessionCause): AccountContext {
  return {
    ...{ commandId, merchantId, actor, requestId, ip },
    universe: 'platform',
    startedAt: nowMs,
    now: nowMs,
    correlationId: requestId ?? commandId,
    causationId: null,
  };
}
