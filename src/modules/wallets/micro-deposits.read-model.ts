import type { ReadModel } from '../../kernel/ports/read-models';
import type { NetworkId } from '../../vocabulary/networks';

export type MicroDepositDocument = {
  readonly merchant_id: string;
  readonly mode: string;
  readonly network_id: NetworkId;
  readonly wallet_id: string;
  readonly status: 'open' | 'seen' | 'credited';
  readonly expires_at: string;
};

/** The micro-deposits asked for; a network's watcher follows those that were seen. */
export const microDepositsReadModel: ReadModel<MicroDepositDocument> = {
  name: 'micro_deposits',
  version: 1,
  indexes: { by_network: ['mode', 'network_id', 'status', 'id'] },
};
