import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { Entropy } from '../../kernel/entropy';
import type { SecretBox } from '../../kernel/ports/secret-box';

const BYTES = 32;
const LABEL = 'tokens of forms';

/**
 * Tokens that only a page of the session holds. A token goes with the session and not with its secret. So a step up in
 * one tab leaves the forms of other tabs good. Each showing is masked anew: pages are compressed, and their
 * lengths would otherwise tell of a text that stays.
 */
export class FormTokens {
  private key: Promise<Uint8Array> | null = null;

  constructor(
    private readonly secretBox: Pick<SecretBox, 'deriveKey'>,
    private readonly entropy: Entropy,
  ) {}

  async show(sessionId: string): Promise<string> {
    const pad = Buffer.from(this.entropy.bytes(BYTES));
    return Buffer.concat([pad, xor(pad, await this.tokenOf(sessionId))]).toString('base64url');
  }

  async isToken(text: string, sessionId: string): Promise<boolean> {
    const bytes = Buffer.from(text, 'base64url');
    if (bytes.length !== 2 * BYTES) return false;
    const shown = xor(bytes.subarray(0, BYTES), bytes.subarray(BYTES));
    return timingSafeEqual(shown, await this.tokenOf(sessionId));
  }

  private async tokenOf(sessionId: string): Promise<Buffer> {
    this.key ??= this.derived();
    return createHmac('sha256', await this.key)
      .update(sessionId)
      .digest();
  }

  /** An outage is not kept. */
  private async derived(): Promise<Uint8Array> {
    try {
      return new Uint8Array(hkdfSync('sha256', await this.secretBox.deriveKey('ids'), '', LABEL, BYTES));
    } catch (error) {
      this.key = null;
      throw error;
    }
  }
}

function xor(one: Uint8Array, other: Uint8Array): Buffer {
  return Buffer.from(one.map((byte, index) => byte ^ (other[index] as number)));
}
