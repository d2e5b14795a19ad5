import type { Mode } from '../../vocabulary/modes';
import { familyOf, type NetworkId } from '../../vocabulary/networks';

/** The supposed signer of a text; `address` in its stored form. */
export type Signer = { readonly mode: Mode; readonly network: NetworkId; readonly address: string };

/** Proof that the holder of an address signed a text. */
export interface MessageSignatures {
  /** Networks whose signatures this deployment can check. */
  readonly networks: readonly NetworkId[];
  /**
   * False for a signature of another address or of another text, and for a text that is no signature. Throws Refusal
   * provider_unavailable where the chain must be asked and does not answer. Throws invalid_challenge_field for a
   * signature that can be checked only after its wallet's deployment.
   */
  verify(signer: Signer, message: string, signature: string): Promise<boolean>;
}

export const MESSAGE_SIGNATURES = Symbol('MessageSignatures');

/** The address that signed, in the network's stored form; null for a text that is no signature. */
type RecoverSigner = (message: string, signature: string) => string | null;

/** Longest signature that is checked: 65 bytes as hex, with room for the ways in which wallets write it. */
const MAX_SIGNATURE_LENGTH = 200;

/** Checks signatures of plain keys, from which the signer's address can be recovered. */
export class RecoveredSignatures implements MessageSignatures {
  readonly networks: readonly NetworkId[];

  constructor(private readonly recoverers: Readonly<Partial<Record<NetworkId, RecoverSigner>>>) {
    this.networks = Object.keys(recoverers) as NetworkId[];
  }

  verify({ network, address }: Signer, message: string, signature: string): Promise<boolean> {
    return Promise.resolve(this.isSignedBy(network, address, message, signature));
  }

  private isSignedBy(network: NetworkId, address: string, message: string, signature: string): boolean {
    if (signature.length > MAX_SIGNATURE_LENGTH) return false;
    const signer = this.recoverers[network]?.(message, signature) ?? null;
    if (signer === null) return false;
    // Hex has two cases for one address, base58 has one.
    return familyOf(network) === 'tron' ? signer === address : signer.toLowerCase() === address.toLowerCase();
  }
}
