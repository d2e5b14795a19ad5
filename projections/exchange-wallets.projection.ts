import { streamId, type Projection } from '../src/kernel/projection';
import type { ExchangeWalletListed } from '../src/modules/wallets/exchange-wallet.events';
import {
  exchangeWalletsReadModel,
  type ExchangeWalletDocument,
} from '../src/modules/wallets/exchange-wallets.read-model';

export const exchangeWalletsProjection: Projection<ExchangeWalletDocument, ExchangeWalletListed> = {
  ...exchangeWalletsReadModel,
  categories: ['exchange_wallet'],
  mirrors: true,
  key: streamId,
  on: {
    ExchangeWalletListed: (_, { data }) => data,
  },
};
