import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { MerchantContext } from '../../../kernel/command-context';
import { WritePath } from '../../../kernel/write-path';
import { SigningSecrets } from '../signing-secrets';
import { webhookEndpoints } from '../webhook-endpoint.decider';
import type { IssuedSecret } from './create-webhook-endpoint.command';

/** The earlier secrets continue to sign for SECRET_OVERLAP_MS. */
export class RollSigningSecret extends Command<IssuedSecret> {
  constructor(
    readonly endpointId: string,
    readonly context: MerchantContext,
  ) {
    super();
  }
}

@CommandHandler(RollSigningSecret)
export class RollSigningSecretHandler implements ICommandHandler<RollSigningSecret> {
  constructor(
    private readonly writes: WritePath,
    private readonly secrets: SigningSecrets,
  ) {}

  async execute({ endpointId, context }: RollSigningSecret): Promise<IssuedSecret> {
    const secret = await this.secrets.issue(context);
    const { state } = await this.writes.execute(webhookEndpoints, endpointId, { type: 'roll_secret', secret }, context);
    return { endpointId, secret: await this.secrets.openIssued(state, secret) };
  }
}
