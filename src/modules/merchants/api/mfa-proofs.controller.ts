import { Body, Controller, Headers, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiBearerAuth, ApiTags } from '@nestjs/swagger';
import { refuse } from '../../../kernel/errors';
import {
  ChecksBody,
  CurrentCaller,
  isHighRiskAction,
  RequireKey,
  type BodyCheck,
  type Caller,
} from '../../../platform/http/caller';
import { Documented } from '../../../platform/http/openapi-operation';
import { IssueMfaProof } from '../commands/issue-mfa-proof.command';
import { CreateMfaProofDto } from './mfa-proof.dto';
import { MFA_PROOF_OPERATIONS, type MfaProofResource } from './mfa-proofs.operations';

const checkAction: BodyCheck<CreateMfaProofDto> = ({ action }) => {
  if (isHighRiskAction(action)) return;
  throw refuse('parameter_invalid', { param: 'action', message: `No call asks for a proof of ${action}.` });
};

@ApiTags('MFA')
@ApiBearerAuth()
@Controller('v1/mfa/proofs')
export class MfaProofsController {
  constructor(private readonly commands: CommandBus) {}

  @Post()
  @RequireKey()
  @ChecksBody(checkAction)
  @Documented(MFA_PROOF_OPERATIONS.create)
  create(
    @CurrentCaller() caller: Caller,
    @Body() { code, action }: CreateMfaProofDto,
    @Headers('mfa-user') user?: string,
  ): Promise<MfaProofResource> {
    const { merchantId, mode, keyId, commandId } = caller;
    const binding = { merchantId, mode, keyId, action };
    return this.commands.execute(new IssueMfaProof(binding, code, user ?? null, commandId));
  }
}
