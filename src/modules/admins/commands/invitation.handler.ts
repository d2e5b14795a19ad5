import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { uuidV5 } from '../../../vocabulary/ids';
import { ACCOUNT_MAIL, type AccountMail } from '../../users/account-mail';
import { MailedTokens } from '../../users/mailed-tokens';
import { Passwords } from '../../users/password';
import { checkedEmail } from '../../users/registration';
import { takeInvitation } from '../../users/take-invitation';
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

  async execute(command: AcceptAdminInvitation): Promise<{ readonly adminId: string }> {
    const means = { tokens: this.tokens, passwords: this.passwords };
    const adminId = await takeInvitation(means, 'admin_invitation', command, ({ user_id: id, matter }, chosen) => {
      const accept = { type: 'accept', role: matter.role, ...chosen } as const;
      return this.admins.execute(id, accept, contextOfPerson(command.context, 'admin', id, null));
    });
    return { adminId };
  }
}
