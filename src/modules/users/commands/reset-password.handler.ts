import { Inject } from '@nestjs/common';
import { CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Clock } from '../../../kernel/clock';
import { PORTS } from '../../../kernel/ports/injection';
import { WritePath } from '../../../kernel/write-path';
import { uuidV5 } from '../../../vocabulary/ids';
import { EndSessions } from '../../sessions/commands/session.command';
import { ACCOUNT_MAIL, type AccountMail } from '../account-mail';
import { inEvenTime } from '../even-answer';
import { MailLimits } from '../mail-limits';
import { deadLink, MailedTokens } from '../mailed-tokens';
import { checkPassword, Passwords } from '../password';
import { checkedEmail } from '../registration';
import { contextOfUser, UserWrites } from '../user-writes';
import { userIdOfEmail, users } from '../user.decider';
import { AskForReset, ResetPassword } from './sign-up.command';

@CommandHandler(AskForReset)
export class AskForResetHandler implements ICommandHandler<AskForReset> {
  constructor(
    private readonly writePath: WritePath,
    private readonly tokens: MailedTokens,
    private readonly limits: MailLimits,
    @Inject(ACCOUNT_MAIL) private readonly mail: AccountMail,
    @Inject(PORTS.clock) private readonly clock: Clock,
  ) {}

  async execute({ email, context }: AskForReset): Promise<void> {
    const address = checkedEmail(email);
    const work = async () => {
      const { commandId, ip } = context;
      if (!(await this.limits.take('reset', address, ip, commandId))) return;
      const userId = userIdOfEmail(address);
      const { state } = await this.writePath.load(users, 'platform', userId);
      if (state.status !== 'active') return;
      const { id, token, expiresAt } = await this.tokens.make({ purpose: 'reset' }, userId, address, commandId);
      await this.mail.put(uuidV5(id), state.email, { kind: 'reset_link', token, expiresAt });
    };
    await inEvenTime(this.clock, work());
  }
}

@CommandHandler(ResetPassword)
export class ResetPasswordHandler implements ICommandHandler<ResetPassword> {
  constructor(
    private readonly writePath: WritePath,
    private readonly writes: UserWrites,
    private readonly commands: CommandBus,
    private readonly tokens: MailedTokens,
    private readonly passwords: Passwords,
  ) {}

  /** The token is used up last before the event, so that nothing but a crash uses it up in vain. */
  async execute({ token, password, context }: ResetPassword): Promise<void> {
    checkPassword(password);
    const found = await this.tokens.find('reset', token, context.commandId);
    const userId = found.user_id;
    const { state } = await this.writePath.load(users, 'platform', userId);
    if (state.status !== 'active') throw deadLink();
    const passwordHash = await this.passwords.hash(password, context.ip);
    await this.tokens.spend(found, context.commandId);
    const own = contextOfUser(context, userId, state.merchantId);
    await this.writes.execute(userId, { type: 'change_password', passwordHash, reason: 'reset' }, own);
    await this.tokens.end('reset', userId);
    await this.commands.execute(new EndSessions(userId, null, null, 'password_changed', context.ip, context.requestId));
  }
}
