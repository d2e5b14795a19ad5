import { userActor, type AccountContext } from '../../kernel/command-context';
import type { Loaded } from '../../kernel/loaded';
import type { Executed, WritePath } from '../../kernel/write-path';
import { refuse } from '../../vocabulary/errors';
import { users, type UserCommand } from './user.decider';
import type { UserEvent } from './user.events';
import { personOf, type User } from './user.state';

/** Makes the command from the user as read. Writes nothing. */
type FindCommand = (loaded: Loaded<User, UserEvent>) => Promise<UserCommand>;

/** Writes to the users of the context's merchant. A user of another merchant is as good as none. */
export class UserWrites {
  constructor(private readonly writePath: WritePath) {}

  /** Throws Refusal resource_missing, or the decision's. */
  execute(userId: string, command: UserCommand, context: AccountContext): Promise<Executed<User, UserEvent>> {
    return this.executeFound(userId, () => Promise.resolve(command), context);
  }

  /** The events of a command that has run before; none where it has not. */
  async eventsOf(userId: string, commandId: string): Promise<readonly UserEvent[]> {
    const { history } = await this.writePath.load(users, 'platform', userId);
    return history.filter(({ metadata }) => metadata.command_id === commandId);
  }

  /** A command that has run before does not call `find` again. */
  executeFound(userId: string, find: FindCommand, context: AccountContext): Promise<Executed<User, UserEvent>> {
    return this.writePath.executePlan(users, userId, (_, command: UserCommand) => ({ command, context }), context, {
      readsFirst: true,
      find: loaded => {
        if (personOf(loaded.state)?.merchantId !== context.merchantId) throw refuse('resource_missing');
        return find(loaded);
      },
    });
  }
}

/** The context of a person who acts as the user, such as by a mailed link. */
export function contextOfUser(
  context: Omit<AccountContext, 'merchantId'>,
  userId: string,
  merchantId: string,
): AccountContext {
  return { ...context, merchantId, actor: userActor(userId) };
}
