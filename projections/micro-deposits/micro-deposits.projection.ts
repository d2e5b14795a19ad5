import type { RecordedEvent } from '../../src/kernel/event';
import { streamId, type Projection } from '../../src/kernel/projection';
import type { NetworkId } from '../../src/kernel/tokens';
import type { MicroDepositEvent } from '../../src/modules/wallets/micro-deposit.events';

export type MicroDepositDocument = {
  readonly merchant_id: string;
  readonly mode: string;
  readonly network_id: NetworkId;
  readonly wallet_id: string;
  readonly status: 'open' | 'seen' | 'credited';
  readonly expires_at: string;
};

type Doc = MicroDepositDocument;
type On<T extends MicroDepositEvent['type']> = RecordedEvent<Extract<MicroDepositEvent, { readonly type: T }>>;

const withStatus =
  (status: Doc['status']) =>
  (doc: Doc | null): Doc | null =>
    doc && { ...doc, status };

/** The micro-deposits asked for; what a network's watcher follows are those that were seen. */
export const microDepositsProjection: Projection<MicroDepositDocument> = {
  name: 'micro_deposits',
  version: 1,
  categories: ['micro_deposit'],
  mirrors: true,
  key: streamId,
  indexes: { by_network: ['mode', 'network_id', 'status', 'id'] },
  on: {
    MicroDepositReserved: (_: Doc | null, { data, metadata }: On<'MicroDepositReserved'>): Doc => ({
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
    MicroDepositReleased: (): null => null,
  },
};
