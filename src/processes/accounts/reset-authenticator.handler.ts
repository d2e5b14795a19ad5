import { CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { withCommand, type PersonContext } from '../../kernel/command-context';
import { WritePath } from '../../kernel/write-path';
import { passkeys } from '../../modules/passkeys/passkey.decider';
import { EndAllSessions } from '../../modules/sessions/commands/session.command';
import { ResetAuthenticator } from '../../modules/users/commands/manage-users.command';
import { PeopleWrites } from '../../modules/users/credential-writes';
import { realmOf } from '../../vocabulary/realms';

@CommandHandler(ResetAuthenticator)
export class ResetAuthenticatorHandler implements ICommandHandler<ResetAuthenticator> {
  constructor(
    private readonly writePath: WritePath,
    private readonly people: PeopleWrites,
    private readonly commands: CommandBus,
  ) {}

  /**
   * The person's stream comes before those of the passkeys: a passkey that it does not count signs nobody in. A crash
   * between them leaves credentials that anybody who holds the authenticator may register anew.
   */
  async execute({ userId, reason, context }: ResetAuthenticator): Promise<void> {
    const person = await this.people.of(realmOf(userId)).read(userId);
    await person.change({ type: 'reset_authenticator', reason }, context);
    // Also where nothing was enrolled: a command that follows a crash ends the sessions that are left.
    await this.endSessions(userId, context);
    for (const { id, credentialHash } of person.active?.passkeys ?? []) {
      const own = withCommand(context, `withdraw-${id}`);
      await this.writePath.execute(passkeys, credentialHash, { type: 'withdraw', userId }, own);
    }
  }

  private endSessions(userId: string, context: PersonContext): Promise<void> {
    return this.commands.execute(new EndAllSessions(userId, 'operator', context));
  }
}
