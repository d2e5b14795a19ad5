import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Clock } from '../../../kernel/clock';
import { PORTS } from '../../../kernel/ports/injection';
import { WritePath } from '../../../kernel/write-path';
import { refuse } from '../../../vocabulary/errors';
import { uuidV5 } from '../../../vocabulary/ids';
import { ACCOUNT_MAIL, type AccountMail } from '../account-mail';
import { inEvenTime } from '../even-answer';
import { MailLimits } from '../mail-limits';
import { MailedTokens } from '../mailed-tokens';
import { checkedEmail, checkedName, userIdOfEmail } from '../registration';
import { SIGN_UP, type SignUp } from '../sign-up';
import { users } from '../user.decider';
import { accountOf } from '../user.state';
import { AskToSignUp } from './sign-up.command';

@CommandHandler(AskToSignUp)
export class AskToSignUpHandler implements ICommandHandler<AskToSignUp> {
  constructor(
    private readonly writePath: WritePath,
    private readonly tokens: MailedTokens,
    private readonly limits: MailLimits,
    @Inject(ACCOUNT_MAIL) private readonly mail: AccountMail,
    @Inject(SIGN_UP) private readonly signUp: SignUp,
    @Inject(PORTS.clock) private readonly clock: Clock,
  ) {}

  async execute({ business, name, email, context }: AskToSignUp): Promise<void> {
    if (this.signUp === 'closed') {
      throw refuse('permission_denied', { message: 'Accounts are opened by the operator of this service.' });
    }
    const matter = {
      purpose: 'sign_up',
      business: checkedName(business, 'business'),
      name: checkedName(name),
    } as const;
    const address = checkedEmail(email);
    const work = async () => {
      const { commandId, ip } = context;
      if (!(await this.limits.take('sign_up', address, ip, commandId))) return;
      const userId = userIdOfEmail(address);
      const { state } = await this.writePath.load(users, 'platform', userId);
      if (accountOf(state)) {
        const mailId = uuidV5(`account_exists\n${userId}\n${commandId}`);
        await this.mail.put(mailId, address, { kind: 'account_exists' });
        return;
      }
      const { id, token, expiresAt } = await this.tokens.make(matter, userId, address, commandId);
      await this.mail.put(uuidV5(id), address, { kind: 'sign_up_link', token, expiresAt });
    };
    await inEvenTime(this.clock, work());
  }
}
