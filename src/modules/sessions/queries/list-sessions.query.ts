import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { realmOf } from '../../../vocabulary/realms';
import { Realms } from '../realms';
import type { OpenSession } from '../session-authentication';
import { seatsIn } from '../session-seats';
import type { ListedSession } from './listed-session';

/** The full sessions of the asking session's user that are open, the oldest first. */
export class ListSessions extends Query<readonly ListedSession[]> {
  constructor(readonly open: OpenSession) {
    super();
  }
}

@QueryHandler(ListSessions)
export class ListSessionsHandler implements IQueryHandler<ListSessions> {
  constructor(private readonly realms: Realms) {}

  async execute({ open: { session, seats, person } }: ListSessions): Promise<readonly ListedSession[]> {
    const { granting } = this.realms.of(realmOf(person.userId));
    const listed = await granting.seated(person.policy, seatsIn(seats), session);
    return listed.map(({ body }) => ({
      id: body.session_id,
      method: body.method,
      ip: body.ip,
      user_agent: body.user_agent,
      current: body.session_id === session.body.session_id,
      created: body.created,
      last_used_at: body.last_used_at,
      expires_at: body.expires_at,
    }));
  }
}
