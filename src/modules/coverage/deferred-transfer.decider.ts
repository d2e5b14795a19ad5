import type { DecisionContext } from '../../kernel/decider';
import { refuse } from '../../vocabulary/errors';
import { checkedReason } from '../../vocabulary/reasons';
import { unreachable } from '../../kernel/invariant';
import type { Aggregate } from '../../kernel/write-path';
import type { DeferredTransferEvent, TransferDeferred } from './deferred-transfer.events';

export type DeferredTransfer =
  | { readonly status: 'none' }
  | {
      readonly status: 'open' | 'finished' | 'dropped' | 'given_up';
      readonly transfer: TransferDeferred['data'];
    };

type DeferredTransferCommand =
  | { readonly type: 'defer'; readonly transfer: TransferDeferred['data'] }
  | { readonly type: 'finish' | 'drop' }
  | { readonly type: 'give_up'; readonly reason: string };

type Place = Pick<TransferDeferred['data'], 'network_id' | 'tx_hash' | 'ordinal' | 'block_hash'>;

/** One stream for a transfer in a block: a transfer that moves to another block is deferred anew or not at all. */
export function deferredTransferId({ network_id, tx_hash, ordinal, block_hash }: Place): string {
  return `${network_id}:${tx_hash}:${ordinal}:${block_hash}`;
}

function decide(
  command: DeferredTransferCommand,
  state: DeferredTransfer,
  context: DecisionContext,
): readonly DeferredTransferEvent[] {
  const { status } = state;
  switch (command.type) {
    case 'defer':
      // A given-up transfer stays given up, however often its block is read again.
      if (status === 'open' || status === 'given_up') return [];
      return [{ type: 'TransferDeferred', data: command.transfer }];
    case 'finish':
      return status === 'open' ? [{ type: 'DeferredTransferFinished', data: {} }] : [];
    case 'drop':
      return status === 'open' ? [{ type: 'DeferredTransferDropped', data: {} }] : [];
    case 'give_up':
      return [{ type: 'DeferredTransferGivenUp', data: { reason: requireGivingUp(command.reason, state, context) } }];
    default:
      return unreachable(command);
  }
}

/**
 * The reason as it stands in the log. Throws Refusal forbidden_actor, invalid_reason, resource_missing or
 * invalid_state_transition.
 */
export function requireGivingUp(
  text: string,
  { status }: DeferredTransfer,
  { actor }: Pick<DecisionContext, 'actor'>,
): string {
  if (actor.role !== 'admin') throw refuse('forbidden_actor');
  const reason = checkedReason(text);
  if (status === 'none')
    throw refuse('resource_missing', { param: 'transfer', message: 'No such transfer was deferred.' });
  if (status !== 'open')
    throw refuse('invalid_state_transition', { param: 'transfer', message: `The transfer is ${status} already.` });
  return reason;
}

function evolve(state: DeferredTransfer, event: DeferredTransferEvent): DeferredTransfer {
  if (event.type === 'TransferDeferred') return { status: 'open', transfer: event.data };
  if (state.status === 'none') return state;
  switch (event.type) {
    case 'DeferredTransferFinished':
      return { ...state, status: 'finished' };
    case 'DeferredTransferDropped':
      return { ...state, status: 'dropped' };
    case 'DeferredTransferGivenUp':
      return { ...state, status: 'given_up' };
    default:
      return unreachable(event);
  }
}

/** A transfer that coverage passed before it had its place. */
export const deferredTransfers: Aggregate<DeferredTransfer, DeferredTransferCommand, DeferredTransferEvent> = {
  category: 'deferred_transfer',
  notFound: null,
  initial: { status: 'none' },
  decide,
  evolve,
};
