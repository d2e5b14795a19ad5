import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { MerchantContext } from '../../../kernel/command-context';
import type { Grantor, MintTerms } from '../api-key.decider';
import { Minting, type MintedKey } from '../minting';

/** `grantor` bounds the key's scopes and its end. Answers the key's text, once. */
export class MintApiKey extends Command<MintedKey> {
  constructor(
    readonly terms: MintTerms,
    readonly grantor: Grantor,
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
