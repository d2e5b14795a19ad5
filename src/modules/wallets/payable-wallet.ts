import { isRefusal, refuse } from '../../vocabulary/errors';
import type { NetworkId } from '../../vocabulary/networks';
import { canonicalAddress } from './address';
import type { WalletDocument } from './wallets.read-model';

/**
 * A wallet that a quote may name. Throws Refusal wallet_not_verified; verification_invariant where status and evidence
 * contradict each other; invalid_wallet_address where the stored address is none of its network.
 */
export function assertPayable(
  wallet: Pick<WalletDocument, 'status' | 'verification' | 'network_id' | 'address'>,
): void {
  const isVerified = wallet.status === 'verified';
  if (isVerified !== (wallet.verification !== null)) throw refuse('verification_invariant');
  if (!isVerified) throw refuse('wallet_not_verified', { param: 'wallet_id' });
  if (!isCanonical(wallet.network_id, wallet.address)) throw refuse('invalid_wallet_address', { param: 'wallet_id' });
}

function isCanonical(network: NetworkId, address: string): boolean {
  try {
    return canonicalAddress(network, address) === address;
  } catch (error) {
    if (isRefusal(error)) return false;
    throw error;
  }
}
