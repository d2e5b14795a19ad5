import type { MerchantContext } from '../../kernel/command-context';
import { refuse } from '../../vocabulary/errors';
import type { Loaded } from '../../kernel/loaded';
import type { WritePath } from '../../kernel/write-path';
import { wallets, type Wallet } from './wallet.decider';
import type { WalletEvent } from './wallet.events';

type OwnWallet = Loaded<Exclude<Wallet, { readonly status: 'none' }>, WalletEvent>;

/**
 * The wallet as it stands. Throws Refusal wallet_not_found for a wallet that the caller's merchant and mode do not
 * have.
 */
export async function loadOwnWallet(
  writes: WritePath,
  walletId: string,
  { merchantId, universe }: Pick<MerchantContext, 'merchantId' | 'universe'>,
): Promise<OwnWallet> {
  const { state, ...loaded } = await writes.load(wallets, universe, walletId);
  const isOwn = loaded.history[0]?.metadata.merchant_id === merchantId;
  if (state.status === 'none' || !isOwn) throw refuse('wallet_not_found');
  return { state, ...loaded };
}
