import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { MerchantContext } from '../../../kernel/command-context';
import { WritePath } from '../../../kernel/write-path';
import { apiKeys } from '../api-key.decider';

/** Revokes at once and for good; revoking a revoked key changes nothing. */
export class RevokeApiKey extends Command<void> {
  constructor(
    readonly keyId: string,
    readonly context: MerchantContext,
  ) {
    super();
  }
}

@CommandHandler(RevokeApiKey)
export class RevokeApiKeyHandler implements ICommandHandler<RevokeApiKey> {
  constructor(private readonly writePath: WritePath) {}

  async execute({ keyId, context }: RevokeApiKey): Promise<void> {
    await this.writePath.execute(apiKeys, keyId, { type: 'revoke' }, context);
  }
}
