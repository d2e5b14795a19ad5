import { refuse } from '../../vocabulary/errors';
import { derivedId } from '../../vocabulary/ids';
import type { Aggregate } from '../../kernel/write-path';
import type { UserEvent, UserRegistered } from './user.events';

type User = { readonly status: 'none' } | { readonly status: 'active'; readonly merchantId: string };
type UserCommand = { readonly type: 'register'; readonly user: UserRegistered['data'] };

/**
 * An e-mail address belongs to one user of the whole service: the id follows from it, so the user's own stream decides
 * a race.
 */
export function userIdOfEmail(email: string): string {
  return derivedId('usr', ['email', email.toLowerCase()]);
}

function decide(command: UserCommand, state: User): readonly UserEvent[] {
  if (state.status !== 'none') throw emailTaken();
  return [{ type: 'UserRegistered', data: command.user }];
}

function evolve(_: User, event: UserEvent): User {
  return { status: 'active', merchantId: event.data.merchant_id };
}

export function emailTaken(): Error {
  return refuse('parameter_invalid', { param: 'email', message: 'This e-mail address is registered already.' });
}

export const users: Aggregate<User, UserCommand, UserEvent> = {
  category: 'user',
  // Another merchant's stream is passed to the decision, which refuses the address for every owner.
  notFound: null,
  initial: { status: 'none' },
  decide,
  evolve,
};
