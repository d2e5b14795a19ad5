import type { RecordedEvent } from '../src/kernel/event';
import { streamId, type Projection } from '../src/kernel/projection';
import type { WalletEvent } from '../src/modules/wallets/wallet.events';
import { walletsReadModel, type WalletDocument } from '../src/modules/wallets/wallets.read-model';

type Doc = WalletDocument;

type On<T extends WalletEvent['type']> = RecordedEvent<Extract<WalletEvent, { readonly type: T }>>;

export const walletsProjection: Projection<WalletDocument> = {
  ...walletsReadModel,
  categories: ['wallet'],
  mirrors: true,
  key: streamId,
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
