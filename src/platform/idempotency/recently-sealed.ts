import { BoundedMap } from '../../kernel/bounded-map';
import type { DerivedKey, SecretBox, SecretOwner } from '../../kernel/ports/secret-box';

/** Answers remembered, and their characters in all: a client that lost an answer mostly asks again within seconds. */
const ANSWERS_LIMIT = 4_096;
const TEXT_LIMIT = 8 * 1_024 * 1_024;

type Sealed = { readonly plaintext: string; readonly recordId: string };

/**
 * A secret box that remembers the texts which this process has just sealed, and need not open them. A text that was
 * changed since, or that belongs to another record, is opened as usual.
 */
export class RecentlySealed implements SecretBox {
  private readonly recent = new BoundedMap<string, Sealed>(ANSWERS_LIMIT, {
    limit: TEXT_LIMIT,
    of: ({ plaintext }) => plaintext.length,
  });

  constructor(private readonly box: SecretBox) {}

  async seal(plaintext: string, recordId: string, owner: SecretOwner): Promise<string> {
    const text = await this.box.seal(plaintext, recordId, owner);
    this.recent.set(text, { plaintext, recordId });
    return text;
  }

  async open(text: string, recordId: string): Promise<string> {
    const known = this.recent.get(text);
    return known?.recordId === recordId ? known.plaintext : this.box.open(text, recordId);
  }

  deriveKey(purpose: DerivedKey): Promise<Uint8Array> {
    return this.box.deriveKey(purpose);
  }
}
