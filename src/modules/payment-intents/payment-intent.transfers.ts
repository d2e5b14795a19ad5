import type { DecisionContext } from '../../kernel/decider';
import { refuse } from '../../vocabulary/errors';
import { invariant, unreachable } from '../../kernel/invariant';
import type { CommittedTransfer, PaymentIntentCommand } from './payment-intent.commands';
import { attributionOf } from './payment-intent.attribution';
import {
  goesToQueue,
  type DetectedTransfer,
  type PaymentIntentEvent,
  type SightedTransfer,
} from './payment-intent.events';
import { isReviewRejected } from './payment-intent.outcome';
import { permit, quoted } from './payment-intent.permit';
import { isRejected } from './payment-intent.review';
import type { LedgerTransfer, PaymentIntent, QuotedPaymentIntent } from './payment-intent.state';
import { STATUSES, TRANSITIONS, type Status } from './payment-intent.transitions';

/**
 * Transfers of one payment, each once more for every move. All events that follow from them stay well below the longest
 * stream.
 */
export const TRANSFERS_LIMIT = 100;

type TransferCommand = Extract<
  PaymentIntentCommand,
  {
    readonly type:
      | 'see_transfer'
      | 'move_transfer'
      | 'withdraw_transfer'
      | 'drop_transfer'
      | 'see_confirmation'
      | 'reach_depth'
      | 'lose_settled_transfer';
  }
>;

/** The meaning of a sighting for a payment: a new transfer, or a reorganisation that moved a known one. */
export function sightingOf(
  state: PaymentIntent,
  transfer: SightedTransfer,
  isInferred = false,
): Extract<TransferCommand, { readonly type: 'see_transfer' | 'move_transfer' }> {
  const { transfer_id: transferId, block_number, block_hash, block_time } = transfer;
  const known = state.status === 'none' || state.quote === null ? undefined : state.ledger.transfers[transferId];
  const isMove = known !== undefined && isAlike(known, transfer);
  if (!isMove || TRANSITIONS[state.status].move_transfer === undefined)
    return { type: 'see_transfer', transfer, isInferred };
  return { type: 'move_transfer', transferId, block: { block_number, block_hash, block_time } };
}

/**
 * The way in which a claimed transfer enters the payment, with the actor of the edge. Null where the payment can take
 * the transfer no more, or has recorded that it takes no further one.
 */
export function creditOf(
  state: PaymentIntent,
  transfer: SightedTransfer,
  isInferred = false,
): { readonly command: TransferCommand; readonly actor: 'watcher' | 'matcher' } | null {
  const command = sightingOf(state, transfer, isInferred);
  const edge = TRANSITIONS[state.status][command.type];
  if (!edge || (command.type === 'see_transfer' && isClosed(state))) return null;
  if (isInferred && !mayInfer(state, transfer.transfer_id)) return null;
  return { command, actor: edge.actors.includes('watcher') ? 'watcher' : 'matcher' };
}

/**
 * Whether the payment can take, or has, the transfer as its inferred one. Only a payment that waits for its first
 * transfer takes one, and only once.
 */
function mayInfer(state: PaymentIntent, transferId: string): boolean {
  if (state.status === 'none' || state.quote === null) return false;
  const { inferred, transfers } = state.ledger;
  if (inferred === null) return state.status === 'awaiting_payment';
  return inferred === transferId && transfers[transferId] !== undefined;
}

function isAlike(known: SightedTransfer, seen: SightedTransfer): boolean {
  return known.value_base_units === seen.value_base_units && known.from === seen.from;
}

/**
 * Whether the payment is decided: by its transfers so far, by a rejection in review, or by a hold that nobody can lift
 * any more. A transfer that was still on its way counts for no payment.
 */
export function takesNoMore(state: PaymentIntent): boolean {
  return state.status === 'confirmed' || state.status === 'failed' || isRejected(state);
}

/**
 * Whether the payment has taken as many transfers as a payment takes, moves counted. Transfers that count already still
 * follow the chain.
 */
export function takesNoFurther(state: PaymentIntent): boolean {
  return state.status !== 'none' && state.quote !== null && state.ledger.sightings >= TRANSFERS_LIMIT;
}

/** Statuses from which no edge leads to a status that takes a transfer. */
const PAST_TRANSFERS: ReadonlySet<Status> = new Set(STATUSES.filter(status => !leadsToTransfers(status, [])));

function leadsToTransfers(status: Status, passed: readonly Status[]): boolean {
  const { see_transfer, ...others } = TRANSITIONS[status];
  if (see_transfer) return true;
  const next = Object.values(others).map(({ to }) => to);
  return next.some(to => to !== status && !passed.includes(to) && leadsToTransfers(to, [...passed, status]));
}

/**
 * Whether the payment will never take a new transfer. The payment is decided, was rejected in its review, or has
 * recorded that it is at its limit.
 */
export function isClosed(state: PaymentIntent): boolean {
  if (state.status === 'none') return false;
  return PAST_TRANSFERS.has(state.status) || isReviewRejected(state) || (state.quote !== null && state.ledger.isFull);
}

/**
 * Records the limit once, for all later transfers. Throws Refusal invalid_state_transition once the limit is recorded.
 */
function turnedAway(state: PaymentIntent, context: DecisionContext): readonly PaymentIntentEvent[] {
  if (quoted(state).ledger.isFull) {
    const message = `A payment takes no more than ${TRANSFERS_LIMIT} transfers.`;
    throw refuse('invalid_state_transition', { message });
  }
  permit(state, 'turn_away', context);
  return [{ type: 'TransferLimitReached', data: { limit: TRANSFERS_LIMIT } }];
}

/** Whether the payment has had the transfer all the time since its claim was committed in that block. */
export function isAsCommitted(known: LedgerTransfer, { blockHash, sighting }: CommittedTransfer): boolean {
  return known.block_hash === blockHash && known.sighting === sighting;
}

/**
 * Decides on the watcher's sighting of one transfer. A sighting that the payment already knows yields no events, so a
 * second look does no harm.
 */
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
      // A final transfer was found in its receipt; before that, a provider may have told it wrongly at first.
      if (
        known?.block_hash === command.transfer.block_hash &&
        (known.final || isAlike(known, command.transfer)) &&
        !isNamedNow(known, command)
      )
        return [];
      permit(state, 'see_transfer', context);
      if (isReviewRejected(state)) {
        const message = 'A payment that was rejected in its review takes no transfer.';
        throw refuse('invalid_state_transition', { message });
      }
      if (command.isInferred && !mayInfer(state, transferId)) {
        const message = 'A payment takes one transfer by inference, as its first one.';
        throw refuse('invalid_state_transition', { message });
      }
      if (takesNoFurther(state)) return turnedAway(state, context);
      return [{ type: 'TransferDetected', data: attributed(quoted(state), command) }];
    case 'move_transfer':
      permit(state, 'move_transfer', context);
      if (!known || known.block_hash === command.block.block_hash) return [];
      return [{ type: 'TransferMoved', data: { transfer_id: transferId, ...command.block } }];
    case 'withdraw_transfer':
      if (!known || known.final) return [];
      return decideTransfer({ ...command, type: 'drop_transfer' }, state, context);
    case 'drop_transfer': {
      const waits = state.status === 'detected' || state.status === 'confirming';
      const last = waits && Object.keys(transfers).length === 1;
      permit(state, last ? 'lose_last_transfer' : 'drop_transfer', context);
      // The transfer came back in another block meanwhile, or counts in a decided payment.
      if (known?.block_hash !== command.blockHash) return [];
      const { reason } = command;
      const stays = state.status === 'confirmed' || (state.status === 'failed' && goesToQueue(reason));
      if (known.final && stays) return [];
      if (goesToQueue(reason))
        invariant(takesNoMore(state) && !known.final, `no transfer is surplus in ${state.status}`);
      else if (last) return [{ type: 'PaymentFailed', data: { transfer_id: transferId, reason } }];
      return [{ type: 'TransferDropped', data: { transfer_id: transferId, reason } }];
    }
    case 'see_confirmation':
      if (state.status === 'confirming') return [];
      permit(state, 'see_confirmation', context);
      if (!known) return [];
      return [{ type: 'ConfirmationSeen', data: { transfer_id: transferId, head_number: command.headNumber } }];
    case 'reach_depth':
      permit(state, 'reach_depth', context);
      if (!known || known.final || !isAsCommitted(known, command)) return [];
      return [
        {
          type: 'DepthReached',
          data: { transfer_id: transferId, block_hash: command.blockHash, head_number: command.headNumber },
        },
      ];
    case 'lose_settled_transfer':
      permit(state, 'lose_settled_transfer', context);
      if (known?.block_hash !== command.blockHash) return [];
      return [{ type: 'SettledTransferLost', data: { transfer_id: transferId } }];
    default:
      return unreachable(command);
  }
}

/** A person has named a transfer that the payment got by inference. */
function isNamedNow(
  known: LedgerTransfer,
  { transfer, isInferred = false }: Extract<TransferCommand, { readonly type: 'see_transfer' }>,
): boolean {
  return known.attribution === 'inferred' && !isInferred && isAlike(known, transfer);
}

function attributed(
  { quote, ledger }: QuotedPaymentIntent,
  { transfer, isInferred = false }: Extract<TransferCommand, { readonly type: 'see_transfer' }>,
): DetectedTransfer {
  if (isInferred) return { ...transfer, attribution: 'inferred' };
  const known = ledger.transfers[transfer.transfer_id];
  return { ...transfer, attribution: attributionOf(quote, ledger.remainder, known, transfer) };
}
