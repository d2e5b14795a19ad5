import type { RecordedEvent } from '../../src/kernel/event';
import { streamId, type Projection } from '../../src/kernel/projection';
import type { ExchangeWalletListed } from '../../src/modules/wallets/exchange-wallet.events';

export type ExchangeWalletDocument = ExchangeWalletListed['data'];

/** Addresses whose key an exchange or custodian holds, each once a network. */
export const exchangeWalletsProjection: Projection<ExchangeWalletDocument> = {
  name: 'exchange_wallets',
  version: 1,
  categories: ['exchange_wallet'],
  mirrors: true,
  key: streamId,
  indexes: { by_entity: ['entity', 'id'] },
  on: {
    ExchangeWalletListed: (_, { data }: RecordedEvent<ExchangeWalletListed>): ExchangeWalletDocument => data,
  },
};
