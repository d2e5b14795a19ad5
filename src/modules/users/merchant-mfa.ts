import { refuse } from '../../vocabulary/errors';
import type { MfaProofs, ProofBinding } from './mfa-proofs';
import type { TotpVerifier } from './totp-verifier';

type MfaEvidence = ProofBinding & {
  readonly commandId: string;
  readonly code: string | null;
  readonly proof: string | null;
  /** The user of the code; null where the merchant has one user. */
  readonly user: string | null;
};

/** Checks the evidence of a high-risk request: a one-time code, or a proof that was made of a code beforehand. */
export class MerchantMfa {
  constructor(
    private readonly codes: TotpVerifier,
    private readonly proofs: MfaProofs,
  ) {}

  /** Throws Refusal mfa_required, mfa_proof_invalid, mfa_proof_stale, mfa_reverification_required or rate_limit. */
  async verify({ code, proof, user, commandId, ...binding }: MfaEvidence): Promise<void> {
    if (proof === null) {
      const { merchantId, keyId, action } = binding;
      await this.codes.verify({ merchantId, keyId, action, userId: user, code, commandId });
      return;
    }
    if (code !== null) throw refuse('mfa_proof_invalid', { message: 'Send Mfa-Code or Mfa-Proof, not both.' });
    await this.proofs.use(proof, binding, commandId);
  }
}
