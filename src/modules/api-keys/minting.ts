import type { Clock } from '../../kernel/clock';
import type { CommandContext } from '../../kernel/command-context';
import type { Entropy } from '../../kernel/entropy';
import { refuse } from '../../kernel/errors';
import type { Mode } from '../../kernel/event';
import { commandId } from '../../kernel/ids';
import { invariant } from '../../kernel/invariant';
import { outageOf } from '../../kernel/outage';
import type { SecretBox } from '../../kernel/ports/secret-box';
import type { WritePath } from '../../kernel/write-path';
import type { KeyRecords } from './api-key-authenticator';
import { apiKeys, checkedTerms, type MintTerms } from './api-key.decider';
import { KEY_BYTES, keyHash, keyText } from './key-text';
import type { Scope } from '../../kernel/scopes';

/** Some three seconds in all: a document store that is away longer is an outage, and the caller is told so. */
const STANDING_TRIES = 6;
const FIRST_STANDING_PAUSE_MS = 100;

/** `secret` is the key's text: this is the one time that it is known. */
export type MintedKey = { readonly keyId: string; readonly secret: string };

/** Makes keys: text, hash, stream. The id follows from the command, so a command that is run again finds the key that it made. */
export class Minting {
  constructor(
    private readonly writePath: WritePath,
    private readonly entropy: Entropy,
    private readonly secretBox: SecretBox,
    private readonly records: KeyRecords,
    private readonly clock: Clock,
  ) {}

  keyIdOf(context: CommandContext): string {
    return commandId('key', context.startedAt, this.secretBox.deriveKey('ids'), context.commandId);
  }

  /**
   * Throws the refusals of the terms, idempotency_response_unavailable when this command's key exists and its text is gone, or
   * provider_unavailable when the key was made but would not be known yet.
   */
  async mint(terms: MintTerms, grantor: readonly Scope[], context: CommandContext): Promise<MintedKey> {
    const mode = context.universe;
    invariant(mode !== 'platform', 'a key belongs to a mode');
    const { kind } = checkedTerms(terms, grantor, context.now);
    const keyId = this.keyIdOf(context);
    const secret = keyText(kind, mode, this.entropy.bytes(KEY_BYTES));
    const hash = keyHash(secret);
    const command = { type: 'mint', terms, grantor, keyHash: hash, last4: secret.slice(-4) } as const;
    const { state } = await this.writePath.execute(apiKeys, keyId, command, context);
    if (state.status === 'none' || state.minted.key_hash !== hash) throw refuse('idempotency_response_unavailable');
    await this.assertStanding(keyId, hash, mode);
    return { keyId, secret };
  }

  /** A key that was answered works at once. It is found by its hash, which no stream is named after: so its document has to stand first. */
  private async assertStanding(keyId: string, hash: string, mode: Mode): Promise<void> {
    for (let attempt = 0; !(await this.isStanding(hash, mode)); attempt++) {
      if (attempt >= STANDING_TRIES - 1) {
        const message = `The key ${keyId} was made and cannot be used yet. Its text is not shown again: rotate it once it is listed.`;
        throw refuse('provider_unavailable', { message });
      }
      await this.clock.wait(FIRST_STANDING_PAUSE_MS * 2 ** attempt);
      await this.writePath.mirror(apiKeys, mode, keyId);
    }
  }

  private async isStanding(hash: string, mode: Mode): Promise<boolean> {
    try {
      return (await this.records.find(hash, mode)) !== null;
    } catch (error) {
      if (outageOf(error) === null) throw error;
      return false;
    }
  }
}
