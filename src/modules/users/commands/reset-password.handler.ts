import { Inject } from '@nestjs/common';
import { CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Clock } from '../../../kernel/clock';
import { PORTS } from '../../../kernel/ports/injection';
import { uuidV5 } from '../../../vocabulary/ids';
import { EndAllSessions } from '../../sessions/commands/session.command';
import { ACCOUNT_MAIL, type AccountMail } from '../account-mail';
import { inEvenTime } from '../even-answer';
import { MailLimits } from '../mail-limits';
import { PeopleWrites } from '../credential-writes';
import { deadLink, MailedTokens } from '../mailed-tokens';
import { checkPassword, Passwords } from '../password';
import { checkedEmail } from '../registration';
import { contextOfPerson } from '../user-writes';
import { AskForReset, ResetPassword } from './sign-up.command';

/** A link of one realm sets no password of the other one. */
const RESETS = { merchant: { purpose: 'reset' }, admin: { purpose: 'admin_reset' } } as const;
const LETTERS = { merchant: 'reset_link', admin: 'admin_reset_link' } as const;

@CommandHandler(AskForReset)
export class AskForResetHandler implements ICommandHandler<AskForReset> {
  constructor(
    private readonly people: PeopleWrites,
    private readonly tokens: MailedTokens,
    private readonly limits: MailLimits,
    @Inject(ACCOUNT_MAIL) private readonly mail: AccountMail,
    @Inject(PORTS.clock) private readonly clock: Clock,
  ) {}

  async execute({ email, context, realm }: AskForReset): Promise<void> {
    const address = checkedEmail(email);
    const work = async () => {
      const { commandId, ip } = context;
      const matter = RESETS[realm];
      if (!(await this.limits.take(matter.purpose, address, ip, commandId))) return;
      const people = this.people.of(realm);
      const userId = people.idOfEmail(address);
      const { active: person } = await people.read(userId);
      if (person === null) return;
      const { id, token, expiresAt } = await this.tokens.make(matter, userId, address, commandId);
      await this.mail.put(uuidV5(id), person.email, { kind: LETTERS[realm], token, expiresAt });
    };
    await inEvenTime(this.clock, work());
  }
}

@CommandHandler(ResetPassword)
export class ResetPasswordHandler implements ICommandHandler<ResetPassword> {
  constructor(
    private readonly people: PeopleWrites,
    private readonly commands: CommandBus,
    private readonly tokens: MailedTokens,
    private readonly passwords: Passwords,
  ) {}

  /** The token is used up last before the event, so that nothing but a crash uses it up in vain. */
  async execute({ token, password, context, realm }: ResetPassword): Promise<void> {
    checkPassword(password);
    const { purpose } = RESETS[realm];
    const found = await this.tokens.find(purpose, token, context.commandId);
    const userId = found.user_id;
    const person = await this.people.of(realm).read(userId);
    if (person.active === null) throw deadLink();
    const passwordHash = await this.passwords.hash(password, context.ip);
    await this.tokens.spend(found, context.commandId);
    const own = contextOfPerson(context, realm, userId, person.active.merchantId);
    await person.change({ type: 'change_password', passwordHash, reason: 'reset' }, own);
    await this.tokens.end(purpose, userId);
    const { ip, requestId, merchantId } = own;
    await this.commands.execute(new EndAllSessions(userId, 'password_changed', { ip, requestId, merchantId }));
  }
}
