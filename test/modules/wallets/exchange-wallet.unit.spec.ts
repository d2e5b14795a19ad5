import { exchangeWallets } from '../../../src/modules/wallets/exchange-wallet.decider';
import type { ExchangeWalletListed } from '../../../src/modules/wallets/exchange-wallet.events';
import { given } from '../../support/given-when-then';

const context = { actor: { role: 'admin', type: 'admin', id: 'adm_1' }, now: 0 } as const;
const listing: ExchangeWalletListed['data'] = {
  network_id: 'base',
  address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  entity: 'Exchange',
  role: 'hot',
  source: 'its own page',
  source_ref: null,
  added_at: '2026-11-01T12:00:00.000Z',
  confidence: 'high',
  active: true,
};
const listed = (changes: Partial<ExchangeWalletListed['data']> = {}): ExchangeWalletListed => ({
  type: 'ExchangeWalletListed',
  data: { ...listing, ...changes },
});

it('lists an address once as it stands, and anew as the list changes', () => {
  given(exchangeWallets, []).when({ type: 'list', listing }, context).then([listed()]);
  given(exchangeWallets, [listed()]).when({ type: 'list', listing }, context).then([]);
  const withdrawn = listed({ active: false });
  given(exchangeWallets, [listed()]).when({ type: 'list', listing: withdrawn.data }, context).then([withdrawn]);
  given(exchangeWallets, [listed(), withdrawn]).when({ type: 'list', listing }, context).then([listed()]);
});
