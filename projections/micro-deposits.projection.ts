import { streamId, type Projection } from '../src/kernel/projection';
import type { MicroDepositEvent } from '../src/modules/wallets/micro-deposit.events';
import { microDepositsReadModel, type MicroDepositDocument } from '../src/modules/wallets/micro-deposits.read-model';

type Doc = MicroDepositDocument;

const withStatus =
  (status: Doc['status']) =>
  (doc: Doc | null): Doc | null =>
    doc && { ...doc, status };

export const microDepositsProjection: Projection<MicroDepositDocument, MicroDepositEvent> = {
  ...microDepositsReadModel,
  categories: ['micro_deposit'],
  mirrors: true,
  key: streamId,
  on: {
    MicroDepositReserved: (_, { data, metadata }): Doc => ({
      merchant_id: metadata.merchant_id ?? '',
      mode: metadata.mode,
      network_id: data.network_id,
      wallet_id: data.wallet_id,
      status: 'open',
      expires_at: data.expires_at,
    }),
    MicroDepositSeen: withStatus('seen'),
    MicroDepositDropped: withStatus('open'),
    MicroDepositCredited: withStatus('credited'),
    MicroDepositReleased: () => null,
  },
};
