import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { isRefusal } from '../../../vocabulary/errors';
import { uuidV5 } from '../../../vocabulary/ids';
import { ACCOUNT_MAIL, type AccountMail } from '../../users/account-mail';
import { deadLink, MailedTokens } from '../../users/mailed-tokens';
import { checkPassword, Passwords } from '../../users/password';
import { checkedEmail, checkedName } from '../../users/registration';
import { contextOfPerson } from '../../users/user-writes';
import { checkedAdminRole } from '../admin.decider';
import { AdminWrites } from '../admin-writes';
import { AcceptAdminInvitation, InviteAdmin } from './manage-admins.command';

@CommandHandler(InviteAdmin)
export class InviteAdminHandler implements ICommandHandler<InviteAdmin> {
  constructor(
    private readonly admins: AdminWrites,
    private readonly tokens: MailedTokens,
    @Inject(ACCOUNT_MAIL) private readonly mail: AccountMail,
  ) {}

  async execute({ email, role: wanted, context }: InviteAdmin): Promise<{ readonly adminId: string }> {
    const [address, role] = [checkedEmail(email), checkedAdminRole(wanted)];
    const adminId = this.admins.idOfEmail(address);
    await this.admins.execute(adminId, { type: 'invite', invitation: { email: address, role } }, context);
    // A link of before may be for another role.
    await this.tokens.end('admin_invitation', adminId);
    const matter = { purpose: 'admin_invitation', role } as const;
    const { id, token, expiresAt } = await this.tokens.make(matter, adminId, address, context.commandId);
    await this.mail.put(uuidV5(id), address, { kind: 'admin_invitation', role, token, expiresAt });
    return { adminId };
  }
}

@CommandHandler(AcceptAdminInvitation)
export class AcceptAdminInvitationHandler implements ICommandHandler<AcceptAdminInvitation> {
  constructor(
    private readonly admins: AdminWrites,
    private readonly tokens: MailedTokens,
    private readonly passwords: Passwords,
  ) {}

  /** The administrator's stream lets one acceptance through, so the token is used up after it. */
  async execute({ token, name, password, context }: AcceptAdminInvitation): Promise<{ readonly adminId: string }> {
    const own = checkedName(name);
    checkPassword(password);
    const found = await this.tokens.find('admin_invitation', token, context.commandId);
    const { user_id: adminId, matter } = found;
    const passwordHash = await this.passwords.hash(password, context.ip);
    const accept = { type: 'accept', role: matter.role, name: own, passwordHash } as const;
    try {
      await this.admins.execute(adminId, accept, contextOfPerson(context, 'admin', adminId, null));
    } catch (error) {
      throw isRefusal(error, 'invalid_state_transition') ? deadLink() : error;
    }
    await this.tokens.spend(found, context.commandId);
    return { adminId };
  }
}
