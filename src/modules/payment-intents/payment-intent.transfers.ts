import type { DecisionContext } from '../../kernel/decider';
import { unreachable } from '../../kernel/invariant';
import type { PaymentIntentCommand } from './payment-intent.commands';
import type { PaymentIntentEvent } from './payment-intent.events';
import { permit, quoted } from './payment-intent.permit';
import type { PaymentIntent } from './payment-intent.state';

type TransferCommand = Extract<
  PaymentIntentCommand,
  { readonly type: 'see_transfer' | 'drop_transfer' | 'see_confirmation' | 'reach_depth' | 'lose_settled_transfer' }
>;

/** What the watcher saw of one transfer. What the payment already knows decides to nothing, so seeing it twice harms nothing. */
export function decideTransfer(
  command: TransferCommand,
  state: PaymentIntent,
  context: DecisionContext,
): readonly PaymentIntentEvent[] {
  const transferId = command.type === 'see_transfer' ? command.transfer.transfer_id : command.transferId;
  const transfers = state.status === 'none' || state.quote === null ? {} : state.ledger.transfers;
  const known = transfers[transferId];
  switch (command.type) {
    case 'see_transfer':
      if (known && known.block_hash === command.transfer.block_hash) return [];
      permit(state, 'see_transfer', context);
      return [{ type: 'TransferDetected', data: command.transfer }];
    case 'drop_transfer': {
      const waits = state.status === 'detected' || state.status === 'confirming';
      const last = waits && known !== undefined && Object.keys(transfers).length === 1;
      permit(state, last ? 'lose_last_transfer' : 'drop_transfer', context);
      if (!known) return [];
      const data = { transfer_id: transferId, reason: command.reason };
      return [last ? { type: 'PaymentFailed', data } : { type: 'TransferDropped', data }];
    }
    case 'see_confirmation':
      if (state.status === 'confirming') return [];
      permit(state, 'see_confirmation', context);
      if (!known) return [];
      return [{ type: 'ConfirmationSeen', data: { transfer_id: transferId, head_number: command.headNumber } }];
    case 'reach_depth':
      permit(state, 'reach_depth', context);
      if (!known || known.final || known.block_hash !== command.blockHash) return [];
      return [
        {
          type: 'DepthReached',
          data: { transfer_id: transferId, block_hash: command.blockHash, head_number: command.headNumber },
        },
      ];
    case 'lose_settled_transfer':
      permit(state, 'lose_settled_transfer', context);
      quoted(state);
      return known ? [{ type: 'SettledTransferLost', data: { transfer_id: transferId } }] : [];
    default:
      return unreachable(command);
  }
}
