import type { ReadModels } from '../../../kernel/ports/read-models';
import type { WritePath } from '../../../kernel/write-path';
import { wallets } from '../wallet.decider';
import { isWatchedWallet, type ListedWallet } from '../watched-wallets';

/**
 * Resolves once the network's watcher finds the verified wallet. Payments to the wallet are seen from then on, even if
 * this process ends. Throws Refusal provider_unavailable.
 */
export function assertWatched(writes: WritePath, readModels: ReadModels, wallet: ListedWallet): Promise<void> {
  return writes.assertFound(wallets, wallet.mode, wallet.id, () => isWatchedWallet(readModels, wallet));
}
