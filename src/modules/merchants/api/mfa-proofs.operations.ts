import type { OperationTable } from '../../../platform/http/openapi-operation';
import { id, resource, text, timestamp, type Answer } from '../../../platform/http/openapi-schema';

const MFA_PROOF = resource('mfa_proof', 'Stands for a one-time code in the header `Mfa-Proof`, once', {
  proof: text('A secret; only the key that made it can use it', `mfap_${'x'.repeat(43)}`),
  action: text('What it is for', 'wallet.create'),
  expires_at: timestamp('5 minutes after it was made'),
});

export type MfaProofResource = Answer<typeof MFA_PROOF>;

export const MFA_PROOF_OPERATIONS = {
  create: {
    id: 'createMfaProof',
    summary: 'Prove a one-time code beforehand, for one later call',
    description:
      'Made with the code of one moment and good for one call of its action within five minutes. Where several users of the account have an authenticator, the header `Mfa-User` says whose code it is.',
    answer: MFA_PROOF,
    headers: { 'Mfa-User': id('usr', 'Whose code it is') },
    refuses: ['mfa_required', 'mfa_proof_invalid', 'mfa_method_unsupported', 'invalid_totp_secret', 'rate_limit'],
  },
} as const satisfies OperationTable;
