import type { ReadModel } from '../../kernel/ports/read-models';
import type { TransferDeferred } from './deferred-transfer.events';

/** Every transfer that was ever set aside. Only open ones hold up their slot's payment. */
export type DeferredTransferDocument = TransferDeferred['data'] & {
  readonly mode: string;
  readonly status: 'open' | 'finished' | 'dropped' | 'given_up';
  readonly deferred_at: string;
  /** Null except where an administrator has ended the transfer's wait. */
  readonly giving_up: { readonly reason: string; readonly given_up_by: string; readonly at: string } | null;
};

export const deferredTransfersReadModel: ReadModel<DeferredTransferDocument> = {
  name: 'deferred_transfers',
  version: 5,
  indexes: {
    by_block: ['mode', 'network_id', 'status', 'block_number', 'id'],
    by_address: ['mode', 'network_id', 'to', 'status', 'block_number', 'id'],
    by_status: ['status', 'deferred_at', 'id'],
    by_slot: ['mode', 'slot', 'status', 'block_number', 'id'],
  },
};
