import type { RecordedEvent } from '../../src/kernel/event';
import { streamId, type Projection } from '../../src/kernel/projection';
import type { NetworkId } from '../../src/kernel/tokens';
import type { VerificationMethod, WalletEvent } from '../../src/modules/wallets/wallet.events';

export type WalletDocument = {
  readonly merchant_id: string;
  readonly mode: string;
  readonly network_id: NetworkId;
  /** EIP-55 on bnb and base, base58check on tron. */
  readonly address: string;
  readonly label: string;
  readonly controls_private_key: boolean;
  readonly status: 'pending' | 'verified';
  readonly verification: { readonly method: VerificationMethod; readonly verified_at: string } | null;
  readonly created: string;
};

type Doc = WalletDocument;
type On<T extends WalletEvent['type']> = RecordedEvent<Extract<WalletEvent, { readonly type: T }>>;

export const walletsProjection: Projection<WalletDocument> = {
  name: 'wallets',
  version: 1,
  categories: ['wallet'],
  mirrors: true,
  key: streamId,
  indexes: {
    by_merchant: ['merchant_id', 'mode', 'created', 'id'],
    /** What a network's watcher looks out for. */
    by_network: ['mode', 'network_id', 'status', 'address', 'id'],
  },
  on: {
    WalletRegistered: (_: Doc | null, { data, metadata }: On<'WalletRegistered'>): Doc => ({
      merchant_id: metadata.merchant_id ?? '',
      mode: metadata.mode,
      network_id: data.network_id,
      address: data.address,
      label: data.label,
      controls_private_key: data.controls_private_key,
      status: 'pending',
      verification: null,
      created: metadata.occurred_at,
    }),
    WalletVerified: (doc: Doc | null, { data }: On<'WalletVerified'>) =>
      doc && { ...doc, status: 'verified', verification: { method: data.method, verified_at: data.verified_at } },
  },
};
