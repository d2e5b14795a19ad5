import { Body, Controller, Headers, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ChecksBody, CurrentCaller, RequireKey, type Caller } from '../../../platform/http/caller';
import { Documented, Tagged } from '../../../platform/http/openapi-operation';
import { IssueMfaProof } from '../commands/issue-mfa-proof.command';
import { checkAction, CreateMfaProofDto, MFA_PROOF_OPERATIONS, type MfaProofResource } from './mfa-proofs.contract';

@Tagged('MFA')
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
