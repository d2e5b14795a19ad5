import type { ReadModels } from '../../../src/kernel/ports/read-models';
import { presentWallet } from '../../../src/modules/wallets/api/wallet.presenter';
import type { WalletResource } from '../../../src/modules/wallets/api/wallets.contract';
import { walletsReadModel } from '../../../src/modules/wallets/wallets.read-model';
import type { Person } from '../../http/person';

/** The newest wallets that a page offers to choose from. */
const OFFERED = 200;

/** The newest wallets of the person's merchant in the mode. */
export async function newestWallets(
  readModels: ReadModels,
  { merchantId, mode }: Person,
): Promise<readonly WalletResource[]> {
  const equals = { merchant_id: merchantId, mode };
  const query = { index: 'by_merchant', equals, descending: true, limit: OFFERED };
  return (await readModels.list(walletsReadModel, query)).map(presentWallet);
}

/** The wallets, and beside them the merchant's own with the named ids whatever their age. */
export async function withNamed(
  readModels: ReadModels,
  { merchantId, mode }: Person,
  wallets: readonly WalletResource[],
  named: Iterable<string>,
): Promise<readonly WalletResource[]> {
  const older = [...named].filter(id => wallets.every(wallet => wallet.id !== id));
  const kept = await Promise.all(older.map(id => readModels.get(walletsReadModel, mode, id)));
  const own = kept.filter(wallet => wallet !== null).filter(({ body }) => body.merchant_id === merchantId);
  return [...wallets, ...own.map(presentWallet)];
}
