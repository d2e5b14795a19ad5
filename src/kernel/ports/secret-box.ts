/**
 * Encrypts secrets that must be read again (signing secrets, TOTP seeds) by AES-256-GCM, bound to the record that holds
 * them.
 */
export interface SecretBox {
  seal(plaintext: string, recordId: string): string;
  /** Throws when the text was sealed for another record, by another key, or was changed. */
  open(sealed: string, recordId: string): string;
  /** 32 bytes that depend on the master key and the purpose, for keyed ids and the like. */
  deriveKey(purpose: string): Uint8Array;
}
