import { CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { EndOwnSessions } from '../../modules/sessions/commands/session.command';
import { SignInFailures } from '../../modules/sessions/sign-in-failures';
import { ChangePassword } from '../../modules/users/commands/own-account.command';
import { PeopleWrites } from '../../modules/users/credential-writes';
import type { Credentials } from '../../modules/users/credentials';
import { MailedTokens } from '../../modules/users/mailed-tokens';
import { checkPassword, Passwords } from '../../modules/users/password';
import { isRefusal, refuse } from '../../vocabulary/errors';
import { realmOf } from '../../vocabulary/realms';

/** The tries of one user count together, from whichever network: each of them has a session of the user. */
const ANYWHERE = { ip: null, userAgent: '' };

@CommandHandler(ChangePassword)
export class ChangePasswordHandler implements ICommandHandler<ChangePassword> {
  constructor(
    private readonly people: PeopleWrites,
    private readonly commands: CommandBus,
    private readonly tokens: MailedTokens,
    private readonly passwords: Passwords,
    private readonly failures: SignInFailures,
  ) {}

  /** Tries are limited apart from those to sign in: whoever has a session only locks the change of the password. */
  async execute(command: ChangePassword): Promise<void> {
    const { open, wanted, context } = command;
    const { userId } = open.person;
    checkPassword(wanted);
    const attempt = await this.failures.begin(`${userId} present`, ANYWHERE);
    try {
      await this.change(command);
    } catch (error) {
      if (!isRefusal(error, 'invalid_password')) await this.failures.takeBack(attempt);
      throw error;
    }
    await this.failures.forget(attempt);
    await this.tokens.end(realmOf(userId) === 'admin' ? 'admin_reset' : 'reset', userId);
    const { ip, requestId } = context;
    const others = { allBut: open.session.body.session_id };
    await this.commands.execute(new EndOwnSessions(open, others, 'password_changed', { ip, requestId }));
  }

  private async change({ open, present, wanted, context }: ChangePassword): Promise<void> {
    // A command that is run again finds its event, and does not compare its former password with the new one.
    const find = async (person: Credentials) => {
      const isPresent = await this.passwords.matches(present, person.passwordHash, context.ip);
      if (!isPresent) throw refuse('invalid_password', { param: 'present' });
      const passwordHash = await this.passwords.hash(wanted, context.ip);
      return { type: 'change_password', passwordHash, reason: 'changed' } as const;
    };
    const { userId } = open.person;
    await this.people.of(realmOf(userId)).changeFound(userId, find, context);
  }
}
