import { CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { refuse } from '../../../vocabulary/errors';
import { EndSessions } from '../../sessions/commands/session.command';
import { MailedTokens } from '../mailed-tokens';
import { checkPassword, Passwords } from '../password';
import { recoveryCodeHash } from '../recovery-codes';
import { UserWrites } from '../user-writes';
import type { User } from '../user.state';
import { ChangePassword, UseRecoveryCode } from './own-account.command';

@CommandHandler(ChangePassword)
export class ChangePasswordHandler implements ICommandHandler<ChangePassword> {
  constructor(
    private readonly writes: UserWrites,
    private readonly commands: CommandBus,
    private readonly tokens: MailedTokens,
    private readonly passwords: Passwords,
  ) {}

  async execute({ userId, present, wanted, context, keep }: ChangePassword): Promise<void> {
    checkPassword(wanted);
    // A command that is run again finds its event, and does not compare its former password with the new one.
    const find = async ({ state }: { readonly state: User }) => {
      if (state.status !== 'active') throw refuse('invalid_state_transition');
      const isPresent = await this.passwords.matches(present, state.passwordHash);
      if (!isPresent) throw refuse('invalid_password', { param: 'present' });
      const passwordHash = await this.passwords.hash(wanted);
      return { type: 'change_password', passwordHash, reason: 'changed' } as const;
    };
    await this.writes.executeFound(userId, find, context);
    await this.tokens.end('reset', userId);
    await this.commands.execute(new EndSessions(userId, null, keep, 'password_changed', context.ip, context.requestId));
  }
}

@CommandHandler(UseRecoveryCode)
export class UseRecoveryCodeHandler implements ICommandHandler<UseRecoveryCode> {
  constructor(private readonly writes: UserWrites) {}

  async execute({ userId, recoveryCode, context }: UseRecoveryCode): Promise<void> {
    const codeHash = recoveryCodeHash(recoveryCode);
    if (codeHash === null) throw refuse('mfa_proof_invalid');
    await this.writes.execute(userId, { type: 'use_recovery_code', codeHash }, context);
  }
}
