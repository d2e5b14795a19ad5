import { CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { withCommand, type AccountContext } from '../../kernel/command-context';
import { EndSessions } from '../../modules/sessions/commands/session.command';
import { ChangeRole, DisableUser, EnableUser } from '../../modules/users/commands/manage-users.command';
import { MailedTokens } from '../../modules/users/mailed-tokens';
import { UserWrites } from '../../modules/users/user-writes';
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
    const isOver = given === 'owner' || (await hasRun(this.writes, userId, own));
    const releasedTerm = isOver ? null : await this.owners.release(userId, context);
    await this.writes.execute(userId, { type: 'give_role', role: given, releasedTerm }, own);
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
    const isOver = await hasRun(this.writes, userId, own);
    const releasedTerm = isOver ? null : await this.owners.release(userId, context);
    await this.writes.execute(userId, { type: 'disable', reason: reasonOf(context), releasedTerm }, own);
    await this.tokens.end('reset', userId);
    await this.commands.execute(new EndSessions(userId, 'all', 'user_disabled', context));
  }
}

@CommandHandler(EnableUser)
export class EnableUserHandler implements ICommandHandler<EnableUser> {
  constructor(private readonly writes: UserWrites) {}

  async execute({ userId, context }: EnableUser): Promise<void> {
    await this.writes.execute(userId, { type: 'enable', reason: reasonOf(context) }, context);
  }
}

/** A command that is run again releases no later term of the user. */
async function hasRun(writes: UserWrites, userId: string, { commandId }: AccountContext): Promise<boolean> {
  return (await writes.eventsOf(userId, commandId)).length > 0;
}

function reasonOf({ actor }: AccountContext): string {
  return actor.role === 'admin' ? 'by the operator' : 'by an owner';
}
