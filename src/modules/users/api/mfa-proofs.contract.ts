import { refuse } from '../../../vocabulary/errors';
import { ONE_TIME_CODE } from '../../../vocabulary/one-time-codes';
import { grants } from '../../../vocabulary/scopes';
import { scopesOfAction, type BodyCheck } from '../../../platform/http/caller';
import { OneOf, Text } from '../../../platform/http/fields/text-fields';
import type { OperationTable } from '../../../platform/http/openapi-operation';
import { id, resource, text, timestamp, type Answer } from '../../../platform/http/openapi-schema';

const METHODS = ['totp'] as const;

export class CreateMfaProofDto {
  @OneOf(METHODS, { code: 'mfa_method_unsupported' })
  method!: (typeof METHODS)[number];

  @Text({
    later: { pattern: ONE_TIME_CODE.source },
    description: 'Of the authenticator app; each can be used once',
    example: '123456',
  })
  code!: string;

  @Text({ description: 'Action that the proof is for', example: 'wallet.create' })
  action!: string;
}

export const checkAction: BodyCheck<CreateMfaProofDto> = ({ action }, { caller }) => {
  const scopes = scopesOfAction(action);
  if (scopes.length === 0)
    throw refuse('parameter_invalid', { param: 'action', message: `No call asks for a proof of ${action}.` });
  if (scopes.some(scope => grants(caller.scopes, scope))) return;
  throw refuse('insufficient_scope', { param: 'action', message: `The key may not do ${action}: it lacks the scope.` });
};

const MFA_PROOF = resource('mfa_proof', 'Stands for a one-time code in the header `Mfa-Proof`, once', {
  proof: text('A secret; only the key that made it can use it', `mfap_${'x'.repeat(43)}`),
  action: text('Action that the proof is for', 'wallet.create'),
  expires_at: timestamp('5 minutes after it was made'),
});

export type MfaProofResource = Answer<typeof MFA_PROOF>;

export const MFA_PROOF_OPERATIONS = {
  create: {
    id: 'createMfaProof',
    summary: 'Prove a one-time code beforehand, for one later call',
    description:
      'Made with the code of one moment and good for one call of its action within five minutes. The key needs the scope of that call. Where several users of the account have an authenticator, the header `Mfa-User` says whose code it is.',
    answer: MFA_PROOF,
    headers: { 'Mfa-User': id('usr', 'Whose code it is') },
    refuses: [
      'mfa_required',
      'mfa_proof_invalid',
      'mfa_method_unsupported',
      'insufficient_scope',
      'invalid_totp_secret',
      'rate_limit',
    ],
  },
} as const satisfies OperationTable;
