import type { ReadModel } from '../../kernel/ports/read-models';
import type { ExchangeWalletListed } from './exchange-wallet.events';

export type ExchangeWalletDocument = ExchangeWalletListed['data'];

/** Addresses whose key an exchange or custodian holds, each once a network. */
export const exchangeWalletsReadModel: ReadModel<ExchangeWalletDocument> = {
  name: 'exchange_wallets',
  version: 1,
  indexes: { by_entity: ['entity', 'id'] },
};
