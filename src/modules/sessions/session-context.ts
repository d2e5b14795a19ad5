import { adminActor, userActor, type CommandContext } from '../../kernel/command-context';
import type { Actor } from '../../kernel/event';
import type { RealmName } from '../../vocabulary/realms';

type SessionCause<MerchantId extends string | null> = {
  readonly commandId: string;
  readonly merchantId: MerchantId;
  readonly actor: Actor;
  readonly ip: string | null;
  readonly requestId: string | null;
  readonly nowMs: number;
};

/** The service, for a stranger who is refused. */
export const SIGN_IN_ACTORS: Readonly<Record<RealmName, Actor>> = {
  merchant: { role: 'merchant', type: 'system', id: 'sign_in' },
  admin: { role: 'admin', type: 'system', id: 'sign_in' },
};

/** The person who acts. */
export const PERSON_ACTORS: Readonly<Record<RealmName, (userId: string) => Actor>> = {
  merchant: userActor,
  admin: adminActor,
};

/** The context of a session's own events. */
export function sessionContext<MerchantId extends string | null>({
  commandId,
  merchantId,
  actor,
  ip,
  requestId,
  nowMs,
}: SessionCause<MerchantId>): CommandContext & { readonly universe: 'platform'; readonly merchantId: MerchantId } {
  return {
    ...{ commandId, merchantId, actor, requestId, ip },
    universe: 'platform',
    startedAt: nowMs,
    now: nowMs,
    correlationId: requestId ?? commandId,
    causationId: null,
  };
}
