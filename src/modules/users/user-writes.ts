import type { CommandContext, PersonContext } from '../../kernel/command-context';
import { PERSON_ACTORS } from '../sessions/session-context';
import type { RealmName } from '../../vocabulary/realms';
import { eventsOfCommand, type Loaded } from '../../kernel/loaded';
import type { Executed, WritePath } from '../../kernel/write-path';
import { refuse } from '../../vocabulary/errors';
import type { CredentialWrites, ReadPerson } from './credential-writes';
import type { CredentialCommand, Credentials } from './credentials';
import { userIdOfEmail } from './registration';
import { users, type UserCommand } from './user.decider';
import type { UserEvent } from './user.events';
import { personOf, type User } from './user.state';

export type LoadedUser = Loaded<User, UserEvent>;
/** Makes the command from the user as read. Writes nothing. */
type FindCommand = (loaded: LoadedUser) => Promise<UserCommand>;

/** Writes to the users of the context's merchant. A user of another merchant is as good as none. */
export class UserWrites implements CredentialWrites {
  constructor(private readonly writePath: WritePath) {}

  idOfEmail(email: string): string {
    return userIdOfEmail(email);
  }

  load(userId: string): Promise<LoadedUser> {
    return this.writePath.load(users, 'platform', userId);
  }

  async read(userId: string): Promise<ReadPerson> {
    const known = await this.load(userId);
    const { state } = known;
    return {
      active: state.status === 'active' ? state : null,
      eventsOf: commandId => eventsOfCommand(known, commandId),
      change: async (command, context) => (await this.execute(userId, command, context, known)).events,
    };
  }

  /** Throws Refusal resource_missing, or the decision's. */
  execute(
    userId: string,
    command: UserCommand,
    context: PersonContext,
    known?: LoadedUser,
  ): Promise<Executed<User, UserEvent>> {
    return this.executeFound(userId, () => Promise.resolve(command), context, known);
  }

  async change(userId: string, command: CredentialCommand, context: PersonContext) {
    return (await this.execute(userId, command, context)).events;
  }

  async changeFound(
    userId: string,
    find: (person: Credentials) => Promise<CredentialCommand>,
    context: PersonContext,
  ): Promise<void> {
    await this.executeFound(userId, ({ state }) => find(checkedActive(state)), context);
  }

  /** A command that has run before does not call `find` again. */
  private executeFound(
    userId: string,
    find: FindCommand,
    context: PersonContext,
    known?: LoadedUser,
  ): Promise<Executed<User, UserEvent>> {
    return this.writePath.executePlan(users, userId, (_, command: UserCommand) => ({ command, context }), context, {
      ...(known && { known }),
      readsFirst: true,
      find: loaded => {
        if (personOf(loaded.state)?.merchantId !== context.merchantId) throw refuse('resource_missing');
        return find(loaded);
      },
    });
  }
}

function checkedActive(state: User): Credentials {
  if (state.status === 'active') return state;
  throw refuse('invalid_state_transition');
}

/** The context of a person who acts for the own account, such as by a mailed link. */
export function contextOfPerson<MerchantId extends string | null>(
  context: Omit<PersonContext, 'merchantId'>,
  realm: RealmName,
  userId: string,
  merchantId: MerchantId,
): CommandContext & { readonly universe: 'platform'; readonly merchantId: MerchantId } {
  return { ...context, merchantId, actor: PERSON_ACTORS[realm](userId) };
}
