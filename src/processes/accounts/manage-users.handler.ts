import { CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { withCommand, type AccountContext } from '../../kernel/command-context';
import { eventsOfCommand } from '../../kernel/loaded';
import { EndAllSessions } from '../../modules/sessions/commands/session.command';
import { ChangeRole, DisableUser, EnableUser } from '../../modules/users/commands/manage-users.command';
import { MailedTokens } from '../../modules/users/mailed-tokens';
import { UserWrites, type LoadedUser } from '../../modules/users/user-writes';
import { checkedRole } from '../../modules/users/user.decider';
import { OwnerRelease } from './owner-release';

@CommandHandler(ChangeRole)
export class ChangeRoleHandler implements ICommandHandler<ChangeRole> {
  constructor(
    private readonly writes: UserWrites,
    private readonly owners: OwnerRelease,
  ) {}

  async execute({ userId, role, context }: ChangeRole): Promise<void> {
    const given = checkedRole(role);
    const own = withCommand(context, 'role');
    const user = await this.writes.load(userId);
    const isOver = given === 'owner' || hasRun(user, own);
    const releasedTerm = isOver ? null : await this.owners.release(userId, user.state, context);
    await this.writes.execute(userId, { type: 'give_role', role: given, releasedTerm }, own, user);
  }
}

@CommandHandler(DisableUser)
export class DisableUserHandler implements ICommandHandler<DisableUser> {
  constructor(
    private readonly writes: UserWrites,
    private readonly owners: OwnerRelease,
    private readonly tokens: MailedTokens,
    private readonly commands: CommandBus,
  ) {}

  async execute({ userId, context }: DisableUser): Promise<void> {
    const own = withCommand(context, 'disable');
    const user = await this.writes.load(userId);
    const releasedTerm = hasRun(user, own) ? null : await this.owners.release(userId, user.state, context);
    await this.writes.execute(userId, { type: 'disable', releasedTerm }, own, user);
    await this.tokens.end('reset', userId);
    await this.commands.execute(new EndAllSessions(userId, 'user_disabled', context));
  }
}

@CommandHandler(EnableUser)
export class EnableUserHandler implements ICommandHandler<EnableUser> {
  constructor(private readonly writes: UserWrites) {}

  async execute({ userId, context }: EnableUser): Promise<void> {
    await this.writes.execute(userId, { type: 'enable' }, context);
  }
}

/** A command that is run again releases no later term of the user. */
function hasRun(user: LoadedUser, { commandId }: AccountContext): boolean {
  return eventsOfCommand(user, commandId).length > 0;
}
