import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { MfaProofs, type IssuedProof, type ProofBinding } from '../mfa-proofs';
import { TotpVerifier } from '../totp-verifier';

/**
 * `userId` names the user of the code, null where the merchant has one user. Throws Refusal mfa_required,
 * mfa_proof_invalid or rate_limit.
 */
export class IssueMfaProof extends Command<IssuedProof> {
  constructor(
    readonly binding: ProofBinding,
    readonly code: string,
    readonly userId: string | null,
    readonly commandId: string,
  ) {
    super();
  }
}

@CommandHandler(IssueMfaProof)
export class IssueMfaProofHandler implements ICommandHandler<IssueMfaProof> {
  constructor(
    private readonly verifier: TotpVerifier,
    private readonly proofs: MfaProofs,
  ) {}

  async execute({ binding, code, userId, commandId }: IssueMfaProof): Promise<IssuedProof> {
    const { merchantId, keyId, action } = binding;
    const user = await this.verifier.verify({ merchantId, keyId, action, userId, code, commandId });
    return this.proofs.issue(binding, user, commandId);
  }
}
