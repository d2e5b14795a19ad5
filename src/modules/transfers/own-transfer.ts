import type { Document } from '../../kernel/ports/documents';
import type { ReadModels } from '../../kernel/ports/read-models';
import { derivedId, isId } from '../../vocabulary/ids';
import type { Mode } from '../../vocabulary/modes';
import { walletsReadModel } from '../wallets/wallets.read-model';
import { unmatchedTransfersReadModel, type UnmatchedTransferDocument } from './unmatched-transfers.read-model';

export type Reader = { readonly merchantId: string; readonly mode: Mode };

/**
 * A transfer that ever was in the queue, to an address that the merchant has proved to be its own. Null for any other.
 */
export async function ownTransfer(
  readModels: ReadModels,
  { merchantId, mode }: Reader,
  id: string,
): Promise<Document<UnmatchedTransferDocument> | null> {
  const row = isId('tr', id) ? await readModels.get(unmatchedTransfersReadModel, mode, id) : null;
  if (row === null || row.body.created === null) return null;
  const { network_id, address } = row.body;
  const walletId = derivedId('wal', [mode, merchantId, network_id, address]);
  const wallet = await readModels.get(walletsReadModel, mode, walletId);
  return wallet?.body.status === 'verified' ? row : null;
}
