import { canonicalJson } from '../../vocabulary/json';
import type { NetworkId } from '../../vocabulary/networks';
import type { Aggregate } from '../../kernel/write-path';
import type { ExchangeWalletListed } from './exchange-wallet.events';

type ExchangeWallet = { readonly listing: ExchangeWalletListed['data'] | null };

type ExchangeWalletCommand = { readonly type: 'list'; readonly listing: ExchangeWalletListed['data'] };

/** Listings stand above the modes: an exchange holds an address's key in both modes. */
export function exchangeWalletId(network: NetworkId, address: string): string {
  return `${network}:${address}`;
}

export const exchangeWallets: Aggregate<ExchangeWallet, ExchangeWalletCommand, ExchangeWalletListed> = {
  category: 'exchange_wallet',
  notFound: null,
  initial: { listing: null },
  decide({ listing }, state) {
    const isListed = state.listing !== null && canonicalJson(state.listing) === canonicalJson(listing);
    return isListed ? [] : [{ type: 'ExchangeWalletListed', data: listing }];
  },
  evolve: (_, { data }) => ({ listing: data }),
};
