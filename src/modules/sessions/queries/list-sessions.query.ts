import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { realmOf } from '../../../vocabulary/realms';
import { Realms } from '../realms';
import type { SessionPolicyFacts } from '../session-policy.events';
import type { ListedSession } from './listed-session';

/**
 * The user's full sessions that are open by the policy, the oldest first. `current` is the id of the asking session.
 */
export class ListSessions extends Query<readonly ListedSession[]> {
  constructor(
    readonly userId: string,
    readonly current: string,
    readonly policy: SessionPolicyFacts,
  ) {
    super();
  }
}

@QueryHandler(ListSessions)
export class ListSessionsHandler implements IQueryHandler<ListSessions> {
  constructor(private readonly realms: Realms) {}

  async execute({ userId, current, policy }: ListSessions): Promise<readonly ListedSession[]> {
    const { seats, granting } = this.realms.of(realmOf(userId));
    const open = await granting.open(policy, await seats.of(userId));
    return open.map(({ body }) => ({
      id: body.session_id,
      method: body.method,
      ip: body.ip,
      user_agent: body.user_agent,
      current: body.session_id === current,
      created: body.created,
      last_used_at: body.last_used_at,
      expires_at: body.expires_at,
    }));
  }
}
