import { unreachable } from '../../kernel/invariant';
import type { Aggregate } from '../../kernel/write-path';
import type { DeferredTransferEvent, TransferDeferred } from './deferred-transfer.events';

export type DeferredTransfer =
  | { readonly status: 'none' }
  | { readonly status: 'open' | 'finished' | 'dropped'; readonly transfer: TransferDeferred['data'] };

export type DeferredTransferCommand =
  { readonly type: 'defer'; readonly transfer: TransferDeferred['data'] } | { readonly type: 'finish' | 'drop' };

type Place = Pick<TransferDeferred['data'], 'network_id' | 'tx_hash' | 'ordinal' | 'block_hash'>;

/** One stream for a transfer in a block: moved to another block, it is deferred anew or not at all. */
export function deferredTransferId({ network_id, tx_hash, ordinal, block_hash }: Place): string {
  return `${network_id}:${tx_hash}:${ordinal}:${block_hash}`;
}

function decide(command: DeferredTransferCommand, { status }: DeferredTransfer): readonly DeferredTransferEvent[] {
  switch (command.type) {
    case 'defer':
      return status === 'open' ? [] : [{ type: 'TransferDeferred', data: command.transfer }];
    case 'finish':
      return status === 'open' ? [{ type: 'DeferredTransferFinished', data: {} }] : [];
    case 'drop':
      return status === 'open' ? [{ type: 'DeferredTransferDropped', data: {} }] : [];
    default:
      return unreachable(command);
  }
}

function evolve(state: DeferredTransfer, event: DeferredTransferEvent): DeferredTransfer {
  if (event.type === 'TransferDeferred') return { status: 'open', transfer: event.data };
  if (state.status === 'none') return state;
  switch (event.type) {
    case 'DeferredTransferFinished':
      return { ...state, status: 'finished' };
    case 'DeferredTransferDropped':
      return { ...state, status: 'dropped' };
    default:
      return unreachable(event);
  }
}

/** A transfer that coverage passed before it had its place. */
export const deferredTransfers: Aggregate<DeferredTransfer, DeferredTransferCommand, DeferredTransferEvent> = {
  category: 'deferred_transfer',
  missing: null,
  initial: { status: 'none' },
  decide,
  evolve,
};
