import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { realmOf } from '../../../vocabulary/realms';
import { Realms } from '../realms';
import type { SignInMethod } from '../signed-in';

/** A device of the user. All times are ISO-8601 UTC. */
export type ListedSession = {
  readonly id: string;
  readonly method: SignInMethod;
  readonly ip: string | null;
  readonly user_agent: string;
  readonly current: boolean;
  readonly created: string;
  /** Written once a minute at most. */
  readonly last_used_at: string;
  readonly expires_at: string;
};

/** The user's full sessions that are open, the oldest first. `current` is the id of the asking session. */
export class ListSessions extends Query<readonly ListedSession[]> {
  constructor(
    readonly userId: string,
    readonly current: string,
  ) {
    super();
  }
}

@QueryHandler(ListSessions)
export class ListSessionsHandler implements IQueryHandler<ListSessions> {
  constructor(private readonly realms: Realms) {}

  async execute({ userId, current }: ListSessions): Promise<readonly ListedSession[]> {
    const { people, seats, granting } = this.realms.of(realmOf(userId));
    const person = await people.find(userId);
    if (person === null) return [];
    const open = await granting.open(person.policy, await seats.of(userId));
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
