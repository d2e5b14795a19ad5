import type { Universe } from '../../vocabulary/modes';

/** The owner of a secret: a merchant in a mode or above the modes, or the operator (null). Each has a data key. */
export type SecretOwner = { readonly universe: Universe; readonly merchantId: string | null };

/** Purposes of values that the service derives texts from. A value never changes, also where `SECRET_KEY` does. */
export type DerivedKey = 'ids' | 'object ids' | 'mfa proofs';

/** The sealed text cannot be read: another key sealed it, it belongs to another record, or its bytes were changed. */
export class SecretUnreadable extends Error {
  constructor(recordId: string, why: string, options?: ErrorOptions) {
    super(`the secret of ${recordId} cannot be read: ${why}`, options);
    this.name = 'SecretUnreadable';
  }
}

/**
 * Encrypts secrets that must be read again (signing secrets, TOTP seeds) by AES-256-GCM, bound to the record that holds
 * them. Each method may have to ask the log for a data key. Then it throws the log's outages.
 */
export interface SecretBox {
  seal(plaintext: string, recordId: string, owner: SecretOwner): Promise<string>;
  /** Throws SecretUnreadable. */
  open(sealed: string, recordId: string): Promise<string>;
  /** 32 bytes for the purpose, the same as long as the log lasts. */
  deriveKey(purpose: DerivedKey): Promise<Uint8Array>;
}
