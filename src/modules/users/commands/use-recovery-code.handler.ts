import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { refuse } from '../../../vocabulary/errors';
import { recoveryCodeHash } from '../recovery-codes';
import { PeopleWrites } from '../credential-writes';
import { UseRecoveryCode } from './own-account.command';

@CommandHandler(UseRecoveryCode)
export class UseRecoveryCodeHandler implements ICommandHandler<UseRecoveryCode> {
  constructor(private readonly people: PeopleWrites) {}

  async execute({ userId, recoveryCode, context, realm }: UseRecoveryCode): Promise<void> {
    const codeHash = recoveryCodeHash(recoveryCode);
    if (codeHash === null) throw refuse('mfa_proof_invalid');
    await this.people.of(realm).change(userId, { type: 'use_recovery_code', codeHash }, context);
  }
}
