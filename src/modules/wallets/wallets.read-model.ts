import type { ReadModel } from '../../kernel/ports/read-models';
import type { NetworkId } from '../../vocabulary/networks';
import type { VerificationMethod } from './wallet.events';

export type WalletDocument = {
  readonly merchant_id: string;
  readonly mode: string;
  readonly network_id: NetworkId;
  /** EIP-55 on bnb and base, base58check on tron. */
  readonly address: string;
  readonly label: string;
  readonly controls_private_key: boolean;
  /** The merchant has declared that the wallet receives nothing but payments of this service. */
  readonly dedicated: boolean;
  readonly status: 'pending' | 'verified';
  readonly verification: { readonly method: VerificationMethod; readonly verified_at: string } | null;
  readonly created: string;
};

export const walletsReadModel: ReadModel<WalletDocument> = {
  name: 'wallets',
  version: 2,
  indexes: {
    by_merchant: ['merchant_id', 'mode', 'created', 'id'],
    /** Wallets that a network's watcher looks out for. */
    by_network: ['mode', 'network_id', 'status', 'address', 'id'],
  },
};
