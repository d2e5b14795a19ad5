import type { Mode } from '../../vocabulary/modes';
import type { ListQuery } from '../../kernel/ports/documents';
import type { ReadModels } from '../../kernel/ports/read-models';
import type { NetworkId } from '../../vocabulary/networks';
import { walletsReadModel } from './wallets.read-model';

/** The index by which a network's watcher finds its wallets: payments to any other wallet are not seen. */
export function watchedWallets(mode: Mode, network: NetworkId): Pick<ListQuery, 'index' | 'equals'> {
  return { index: 'by_network', equals: { mode, network_id: network, status: 'verified' } };
}

export type ListedWallet = {
  readonly id: string;
  readonly mode: Mode;
  readonly network: NetworkId;
  readonly address: string;
};

/** Whether the network's watcher finds the wallet from its next look on. */
export async function isWatchedWallet(
  readModels: ReadModels,
  { id, mode, network, address }: ListedWallet,
): Promise<boolean> {
  const { index, equals } = watchedWallets(mode, network);
  const query = { index, equals: { ...equals, address }, range: { from: id, to: id }, limit: 1 };
  return (await readModels.list(walletsReadModel, query)).length > 0;
}
