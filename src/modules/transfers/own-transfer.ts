import { everyDocument } from '../../kernel/every-document';
import type { Document } from '../../kernel/ports/documents';
import type { ReadModels } from '../../kernel/ports/read-models';
import { derivedId, isId } from '../../vocabulary/ids';
import type { Mode } from '../../vocabulary/modes';
import type { NetworkId } from '../../vocabulary/networks';
import { walletsReadModel, type WalletDocument } from '../wallets/wallets.read-model';
import { unmatchedTransfersReadModel, type UnmatchedTransferDocument } from './unmatched-transfers.read-model';

export type Reader = { readonly merchantId: string; readonly mode: Mode };
type Address = Pick<WalletDocument, 'network_id' | 'address'>;
type Wallet = Document<WalletDocument>;

const WALLET_PAGE = 100;

/**
 * The addresses that the merchant has proved to be its own. A merchant who merely registers a stranger's address sees
 * none of its transfers.
 */
export async function ownAddresses(
  readModels: Pick<ReadModels, 'list'>,
  reader: Reader,
  network: NetworkId | null = null,
): Promise<readonly Address[]> {
  const addresses = provedAddresses(await ownWallets(readModels, reader));
  return network === null ? addresses : addresses.filter(({ network_id }) => network_id === network);
}

/** All wallets of the merchant in the mode, whatever their status. */
export async function ownWallets(
  readModels: Pick<ReadModels, 'list'>,
  { merchantId, mode }: Reader,
): Promise<readonly Wallet[]> {
  const query = { index: 'by_merchant', equals: { merchant_id: merchantId, mode }, limit: WALLET_PAGE };
  const found: Wallet[] = [];
  for await (const wallet of everyDocument(readModels, walletsReadModel, query)) found.push(wallet);
  return found;
}

export function provedAddresses(wallets: readonly Wallet[]): readonly Address[] {
  return wallets.flatMap(({ body }) => (body.status === 'verified' ? [body] : []));
}

/**
 * A transfer that ever was in the queue of one of the modes, whoever owns the address. Its stream has another name than
 * the id, so the document is as it was last written.
 */
export async function queuedTransfer(
  readModels: Pick<ReadModels, 'stored'>,
  modes: readonly Mode[],
  id: string,
): Promise<Document<UnmatchedTransferDocument> | null> {
  const row = isId('tr', id) ? await readModels.stored(unmatchedTransfersReadModel, modes, id) : null;
  return row === null || row.body.created === null ? null : row;
}

/**
 * A transfer that ever was in the queue, to an address that the merchant has proved to be its own. Null for any other.
 */
export async function ownTransfer(
  readModels: Pick<ReadModels, 'get' | 'stored'>,
  { merchantId, mode }: Reader,
  id: string,
): Promise<Document<UnmatchedTransferDocument> | null> {
  const row = await queuedTransfer(readModels, [mode], id);
  if (row === null) return null;
  const { network_id, address } = row.body;
  const walletId = derivedId('wal', [mode, merchantId, network_id, address]);
  const wallet = await readModels.get(walletsReadModel, mode, walletId);
  return wallet?.body.status === 'verified' ? row : null;
}
