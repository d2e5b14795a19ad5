import { derivedId } from '../../kernel/ids';
import { unreachable } from '../../kernel/invariant';
import type { Aggregate } from '../../kernel/write-path';
import type { TransferEvent, TransferKey, TransferSeen } from './transfer.events';

export type Transfer =
  | { readonly status: 'none' }
  | {
      readonly status: 'claimed' | 'unmatched' | 'reorged_out' | 'seen';
      readonly seen: TransferSeen['data'];
      /** The payment intent whose claim stands; null when none does. */
      readonly claim: string | null;
    };

export type TransferCommand =
  /** `claim` is the payment intent whose reservation the transfer meets, or null. */
  | { readonly type: 'see'; readonly seen: TransferSeen['data']; readonly claim: string | null }
  | { readonly type: 'unmatch' }
  | { readonly type: 'reorg_out'; readonly blockHash: string };

/** The stream's id. The ordinal is the log's place within its receipt: the block-wide index moves in a reorganisation. */
export function transferStreamId({ network, txHash, ordinal }: TransferKey): string {
  return `${network}:${txHash}:${ordinal}`;
}

/** `tr_…`, as the API shows it. */
export function transferId({ network, txHash, ordinal }: TransferKey): string {
  return derivedId('tr', [network, txHash, ordinal]);
}

function decide(command: TransferCommand, state: Transfer): readonly TransferEvent[] {
  switch (command.type) {
    case 'see': {
      const known = state.status !== 'none' && state.status !== 'reorged_out';
      if (known && state.seen.block_hash === command.seen.block_hash) return [];
      const seen: TransferEvent = { type: 'TransferSeen', data: command.seen };
      // A standing claim outlives a move to another block; with another value the transfer is matched anew.
      const moved = known && state.seen.value_base_units === command.seen.value_base_units;
      const claim = (moved ? state.claim : null) ?? command.claim;
      if (claim !== null) return [seen, { type: 'TransferClaimed', data: { by: claim } }];
      return [seen, { type: 'TransferUnmatched', data: { reason: 'no_reservation', candidate: null } }];
    }
    case 'unmatch':
      if (state.status !== 'claimed') return [];
      return [{ type: 'TransferUnmatched', data: { reason: 'credit_refused', candidate: state.claim } }];
    case 'reorg_out':
      if (state.status === 'none' || state.status === 'reorged_out' || state.seen.block_hash !== command.blockHash)
        return [];
      return [{ type: 'TransferReorgedOut', data: { block_hash: command.blockHash } }];
    default:
      return unreachable(command);
  }
}

function evolve(state: Transfer, event: TransferEvent): Transfer {
  if (event.type === 'TransferSeen') {
    return { status: 'seen', seen: event.data, claim: state.status === 'none' ? null : state.claim };
  }
  if (state.status === 'none') return state;
  switch (event.type) {
    case 'TransferClaimed':
      return { ...state, status: 'claimed', claim: event.data.by };
    case 'TransferUnmatched':
      return { ...state, status: 'unmatched', claim: null };
    case 'TransferReorgedOut':
      return { ...state, status: 'reorged_out', claim: null };
    default:
      return unreachable(event);
  }
}

export const transfers: Aggregate<Transfer, TransferCommand, TransferEvent> = {
  category: 'transfer',
  missing: null,
  initial: { status: 'none' },
  decide,
  evolve,
};
