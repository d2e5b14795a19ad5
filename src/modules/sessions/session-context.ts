import type { AccountContext } from '../../kernel/command-context';
import type { Actor } from '../../kernel/event';
import type { Client } from './signed-in';

type SessionCause = {
  readonly commandId: string;
  readonly merchantId: string;
  readonly actor: Actor;
  readonly client: Client;
  readonly requestId: string | null;
  readonly nowMs: number;
};

/** The person of a session. */
export function userActor(userId: string): Actor {
  return { role: 'merchant', type: 'user', id: userId };
}

/** The service, for a stranger who is refused, and for a session that somebody else than its person ends. */
export const SIGN_IN_ACTOR: Actor = { role: 'merchant', type: 'system', id: 'sign_in' };

/** The context of a session's own events. */
export function sessionContext({
  commandId,
  merchantId,
  actor,
  client,
  requestId,
  nowMs,
}: SessionCause): AccountContext {
  return {
    ...{ commandId, merchantId, actor, requestId },
    universe: 'platform',
    startedAt: nowMs,
    now: nowMs,
    correlationId: requestId ?? commandId,
    causationId: null,
    ip: client.ip,
  };
}
