import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { MerchantContext } from '../../../kernel/command-context';
import type { Entropy } from '../../../kernel/entropy';
import { PORTS } from '../../../kernel/ports/injection';
import type { SecretBox } from '../../../kernel/ports/secret-box';
import { WritePath } from '../../../kernel/write-path';
import { refuse } from '../../../vocabulary/errors';
import { commandId } from '../../../vocabulary/ids';
import { apiKeys, checkedTerms, type Grantor, type MintTerms } from '../api-key.decider';
import { KEY_BYTES, keyHash, keyText } from '../key-text';
import { StoredKeys } from '../stored-keys';

/** `secret` is the key's text, which is known this once. */
export type MintedKey = { readonly keyId: string; readonly secret: string };

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

/**
 * Makes keys: text, hash, stream. The id follows from the command, so a command that is run again finds the key that it
 * made.
 */
@CommandHandler(MintApiKey)
export class MintApiKeyHandler implements ICommandHandler<MintApiKey> {
  constructor(
    private readonly writePath: WritePath,
    @Inject(PORTS.entropy) private readonly entropy: Entropy,
    @Inject(PORTS.secretBox) private readonly secretBox: SecretBox,
    private readonly keys: StoredKeys,
  ) {}

  async keyIdOf(context: MerchantContext): Promise<string> {
    return commandId('key', context.startedAt, await this.secretBox.deriveKey('ids'), context.commandId);
  }

  /**
   * Throws the refusals of the terms. Throws idempotency_response_unavailable when this command's key exists and its
   * text is gone. Throws provider_unavailable when the key was made but cannot be found by its hash yet.
   */
  async execute({ terms, grantor, context }: MintApiKey): Promise<MintedKey> {
    const mode = context.universe;
    const { kind } = checkedTerms(terms, grantor, context.now);
    const keyId = await this.keyIdOf(context);
    const secret = keyText(kind, mode, this.entropy.bytes(KEY_BYTES));
    const hash = keyHash(secret);
    const command = { type: 'mint', terms, grantor, keyHash: hash, last4: secret.slice(-4) } as const;
    const { state } = await this.writePath.execute(apiKeys, keyId, command, context);
    if (state.status === 'none' || state.minted.key_hash !== hash) throw refuse('idempotency_response_unavailable');
    // An answered key works at once, and requests find it by its hash.
    await this.writePath.assertFound(apiKeys, mode, keyId, () => this.keys.isListed(hash));
    return { keyId, secret };
  }
}
