import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { refuse } from '../../../vocabulary/errors';
import { recoveryCodeHash } from '../recovery-codes';
import { UserWrites } from '../user-writes';
import { UseRecoveryCode } from './own-account.command';

@CommandHandler(UseRecoveryCode)
export class UseRecoveryCodeHandler implements ICommandHandler<UseRecoveryCode> {
  constructor(private readonly writes: UserWrites) {}

  async execute({ userId, recoveryCode, context }: UseRecoveryCode): Promise<void> {
    const codeHash = recoveryCodeHash(recoveryCode);
    if (codeHash === null) throw refuse('mfa_proof_invalid');
    await this.writes.execute(userId, { type: 'use_recovery_code', codeHash }, context);
  }
}
