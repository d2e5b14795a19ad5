import type { MerchantContext } from '../../kernel/command-context';
import type { Entropy } from '../../kernel/entropy';
import { refuse } from '../../vocabulary/errors';
import { commandId } from '../../vocabulary/ids';
import type { SecretBox } from '../../kernel/ports/secret-box';
import type { WritePath } from '../../kernel/write-path';
import type { KeyRecords } from './api-key-authenticator';
import { apiKeys, checkedTerms, type Grantor, type MintTerms } from './api-key.decider';
import { KEY_BYTES, keyHash, keyText } from './key-text';

/** `secret` is the key's text, which is known this once. */
export type MintedKey = { readonly keyId: string; readonly secret: string };

/**
 * Makes keys: text, hash, stream. The id follows from the command, so a command that is run again finds the key that it
 * made.
 */
export class Minting {
  constructor(
    private readonly writePath: WritePath,
    private readonly entropy: Entropy,
    private readonly secretBox: SecretBox,
    private readonly records: KeyRecords,
  ) {}

  async keyIdOf(context: MerchantContext): Promise<string> {
    return commandId('key', context.startedAt, await this.secretBox.deriveKey('ids'), context.commandId);
  }

  /**
   * Throws the refusals of the terms. Throws idempotency_response_unavailable when this command's key exists and its
   * text is gone. Throws provider_unavailable when the key was made but cannot be found by its hash yet.
   */
  async mint(terms: MintTerms, grantor: Grantor, context: MerchantContext): Promise<MintedKey> {
    const mode = context.universe;
    const { kind } = checkedTerms(terms, grantor, context.now);
    const keyId = await this.keyIdOf(context);
    const secret = keyText(kind, mode, this.entropy.bytes(KEY_BYTES));
    const hash = keyHash(secret);
    const command = { type: 'mint', terms, grantor, keyHash: hash, last4: secret.slice(-4) } as const;
    const { state } = await this.writePath.execute(apiKeys, keyId, command, context);
    if (state.status === 'none' || state.minted.key_hash !== hash) throw refuse('idempotency_response_unavailable');
    // An answered key works at once, and requests find it by its hash.
    await this.writePath.assertFound(apiKeys, mode, keyId, async () => (await this.records.find(hash, mode)) !== null);
    return { keyId, secret };
  }
}
