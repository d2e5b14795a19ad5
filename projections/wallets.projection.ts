import { streamId, type Projection } from '../src/kernel/projection';
import type { WalletEvent } from '../src/modules/wallets/wallet.events';
import { walletsReadModel, type WalletDocument } from '../src/modules/wallets/wallets.read-model';

export const walletsProjection: Projection<WalletDocument, WalletEvent> = {
  ...walletsReadModel,
  categories: ['wallet'],
  mirrors: true,
  key: streamId,
  on: {
    WalletRegistered: (_, { data, metadata }): WalletDocument => ({
      merchant_id: metadata.merchant_id ?? '',
      mode: metadata.mode,
      network_id: data.network_id,
      address: data.address,
      label: data.label,
      controls_private_key: data.controls_private_key,
      dedicated: false,
      status: 'pending',
      verification: null,
      created: metadata.occurred_at,
    }),
    WalletChallengeIssued: null,
    WalletDepositAsked: null,
    WalletVerified: (doc, { data }) =>
      doc && { ...doc, status: 'verified', verification: { method: data.method, verified_at: data.verified_at } },
    WalletChanged: (doc, { data }) => doc && { ...doc, label: data.label, dedicated: data.dedicated },
  },
};
