import { CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { withCommand, type PlatformContext } from '../../kernel/command-context';
import { eventsOfCommand } from '../../kernel/loaded';
import { checkedAdminRole } from '../../modules/admins/admin.decider';
import { AdminWrites, type LoadedAdmin } from '../../modules/admins/admin-writes';
import { DisableAdmin, EnableAdmin, GiveAdminRole } from '../../modules/admins/commands/manage-admins.command';
import { EndAllSessions } from '../../modules/sessions/commands/session.command';
import { MailedTokens } from '../../modules/users/mailed-tokens';
import { AdminOwners } from './admin-owners';

type Context = PlatformContext<'platform'>;

@CommandHandler(GiveAdminRole)
export class GiveAdminRoleHandler implements ICommandHandler<GiveAdminRole> {
  constructor(
    private readonly admins: AdminWrites,
    private readonly owners: AdminOwners,
  ) {}

  async execute({ adminId, role, context }: GiveAdminRole): Promise<void> {
    const given = checkedAdminRole(role);
    const own = withCommand(context, 'role');
    const admin = await this.admins.load(adminId);
    const isOver = given === 'owner' || hasRun(admin, own);
    const releasedTerm = isOver ? null : await this.owners.release(adminId, admin.state, context);
    await this.admins.execute(adminId, { type: 'give_role', role: given, releasedTerm }, own, admin);
  }
}

@CommandHandler(DisableAdmin)
export class DisableAdminHandler implements ICommandHandler<DisableAdmin> {
  constructor(
    private readonly admins: AdminWrites,
    private readonly owners: AdminOwners,
    private readonly tokens: MailedTokens,
    private readonly commands: CommandBus,
  ) {}

  async execute({ adminId, reason, context }: DisableAdmin): Promise<void> {
    const own = withCommand(context, 'disable');
    const admin = await this.admins.load(adminId);
    const releasedTerm = hasRun(admin, own) ? null : await this.owners.release(adminId, admin.state, context);
    await this.admins.execute(adminId, { type: 'disable', reason, releasedTerm }, own, admin);
    await this.tokens.end('admin_invitation', adminId);
    await this.tokens.end('admin_reset', adminId);
    await this.commands.execute(new EndAllSessions(adminId, 'user_disabled', context));
  }
}

@CommandHandler(EnableAdmin)
export class EnableAdminHandler implements ICommandHandler<EnableAdmin> {
  constructor(private readonly admins: AdminWrites) {}

  async execute({ adminId, reason, context }: EnableAdmin): Promise<void> {
    await this.admins.execute(adminId, { type: 'enable', reason }, context);
  }
}

/** A command that is run again releases no later term of the administrator. */
function hasRun(admin: LoadedAdmin, { commandId }: Context): boolean {
  return eventsOfCommand(admin, commandId).length > 0;
}
