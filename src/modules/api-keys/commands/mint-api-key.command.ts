import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { MerchantContext } from '../../../kernel/command-context';
import type { MintTerms } from '../api-key.decider';
import { Minting, type MintedKey } from '../minting';
import type { Scope } from '../../../vocabulary/scopes';

/** `grantor`: the scopes of the actor, which bound those of the key. Answers the key's text, once. */
export class MintApiKey extends Command<MintedKey> {
  constructor(
    readonly terms: MintTerms,
    readonly grantor: readonly Scope[],
    readonly context: MerchantContext,
  ) {
    super();
  }
}

@CommandHandler(MintApiKey)
export class MintApiKeyHandler implements ICommandHandler<MintApiKey> {
  constructor(private readonly minting: Minting) {}

  execute({ terms, grantor, context }: MintApiKey): Promise<MintedKey> {
    return this.minting.mint(terms, grantor, context);
  }
}
