import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { MerchantContext } from '../../../kernel/command-context';
import type { RecordedEvent } from '../../../kernel/event';
import { WritePath } from '../../../kernel/write-path';
import { apiKeys, UNBOUNDED, type Grantor } from '../api-key.decider';

/**
 * Revokes at once and for good; revoking a revoked key changes nothing. A key revokes no key that has more scopes. The
 * operator revokes every key. Answers the key's stream.
 */
export class RevokeApiKey extends Command<readonly RecordedEvent[]> {
  constructor(
    readonly keyId: string,
    readonly context: MerchantContext,
    readonly grantor: Grantor = UNBOUNDED,
  ) {
    super();
  }
}

@CommandHandler(RevokeApiKey)
export class RevokeApiKeyHandler implements ICommandHandler<RevokeApiKey> {
  constructor(private readonly writePath: WritePath) {}

  async execute({ keyId, context, grantor }: RevokeApiKey): Promise<readonly RecordedEvent[]> {
    return (await this.writePath.execute(apiKeys, keyId, { type: 'revoke', grantor }, context)).history;
  }
}
