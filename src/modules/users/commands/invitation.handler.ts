import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { WritePath } from '../../../kernel/write-path';
import { isRefusal } from '../../../vocabulary/errors';
import { uuidV5 } from '../../../vocabulary/ids';
import { ACCOUNT_MAIL, type AccountMail } from '../account-mail';
import { InvitationQuota } from '../invitation-quota';
import { MailedTokens } from '../mailed-tokens';
import { Passwords } from '../password';
import { checkedEmail, userIdOfEmail } from '../registration';
import { takeInvitation } from '../take-invitation';
import { contextOfPerson, UserWrites } from '../user-writes';
import { checkedRole, users } from '../user.decider';
import { InviteUser, WithdrawInvitation } from './manage-users.command';
import { AcceptInvitation } from './sign-up.command';

@CommandHandler(InviteUser)
export class InviteUserHandler implements ICommandHandler<InviteUser> {
  constructor(
    private readonly writePath: WritePath,
    private readonly quota: InvitationQuota,
    private readonly tokens: MailedTokens,
    @Inject(ACCOUNT_MAIL) private readonly mail: AccountMail,
  ) {}

  /** Refused addresses count as well, so that nobody learns of many addresses whether they have accounts. */
  async execute({ email, role, context }: InviteUser): Promise<{ readonly userId: string }> {
    const address = checkedEmail(email);
    const { merchantId, commandId } = context;
    const invitation = { merchant_id: merchantId, email: address, role: checkedRole(role) };
    const userId = userIdOfEmail(address);
    await this.quota.take(merchantId, commandId);
    await this.writePath.execute(users, userId, { type: 'invite', invitation }, context);
    // An earlier link may be for another role.
    await this.tokens.end('invitation', userId, merchantId);
    const matter = { purpose: 'invitation', merchant_id: merchantId, role: invitation.role } as const;
    const { id, token, expiresAt } = await this.tokens.make(matter, userId, address, commandId);
    const letter = { kind: 'invitation', merchantId, role: invitation.role, token, expiresAt } as const;
    await this.mail.put(uuidV5(id), address, letter);
    return { userId };
  }
}

@CommandHandler(WithdrawInvitation)
export class WithdrawInvitationHandler implements ICommandHandler<WithdrawInvitation> {
  constructor(
    private readonly writes: UserWrites,
    private readonly tokens: MailedTokens,
  ) {}

  /**
   * The user's stream lets either the withdrawal or an acceptance through, so the link ends after it. Where another
   * merchant has invited the address since, the stream is of that one, and the link alone is left to end.
   */
  async execute({ userId, context }: WithdrawInvitation): Promise<void> {
    try {
      await this.writes.execute(userId, { type: 'withdraw_invitation' }, context);
    } catch (error) {
      const isOfAnother = isRefusal(error, 'resource_missing');
      if (isOfAnother && (await this.tokens.end('invitation', userId, context.merchantId))) return;
      throw error;
    }
    await this.tokens.end('invitation', userId, context.merchantId);
  }
}

@CommandHandler(AcceptInvitation)
export class AcceptInvitationHandler implements ICommandHandler<AcceptInvitation> {
  constructor(
    private readonly writePath: WritePath,
    private readonly tokens: MailedTokens,
    private readonly passwords: Passwords,
  ) {}

  async execute(command: AcceptInvitation): Promise<{ readonly userId: string }> {
    const means = { tokens: this.tokens, passwords: this.passwords };
    const userId = await takeInvitation(means, 'invitation', command, ({ user_id: id, email, matter }, chosen) => {
      const { merchant_id, role } = matter;
      const accept = { type: 'accept', invitation: { merchant_id, email, role }, ...chosen } as const;
      return this.writePath.execute(users, id, accept, contextOfPerson(command.context, 'merchant', id, merchant_id));
    });
    await this.tokens.end('invitation', userId);
    return { userId };
  }
}
