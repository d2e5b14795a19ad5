import { parseIsoTime } from '../../kernel/clock';
import type { DecisionContext } from '../../kernel/decider';
import { refuse, type ErrorCode } from '../../vocabulary/errors';
import { unreachable } from '../../kernel/invariant';
import { checkedDecisionNote } from '../../vocabulary/reasons';
import type { Aggregate } from '../../kernel/write-path';
import type { PaymentIntentCommand } from './payment-intent.commands';
import type { PaymentIntentEvent } from './payment-intent.events';
import { hasOpenTransfer } from './payment-intent.followed';
import { decideHold, isHeld } from './payment-intent.holds';
import { isReviewOpen } from './payment-intent.review';
import { decideCredit, decideRemainder, decideSettlement } from './payment-intent.settlement';
import { evolve, evolveAll, NO_PAYMENT_INTENT, type LedgerTransfer, type PaymentIntent } from './payment-intent.state';
import { decideTransfer } from './payment-intent.transfers';
import { permit, quoted } from './payment-intent.permit';
import { confirmed, isReviewRejected, receivedBaseUnits } from './payment-intent.outcome';
import { paymentIntentUpcasts } from './payment-intent.upcast';

type Command<T extends PaymentIntentCommand['type']> = Extract<PaymentIntentCommand, { readonly type: T }>;
type Decision = readonly PaymentIntentEvent[];

const REJECTED_ALREADY = 'The payment was rejected in its review.';
const STILL_ON_ITS_WAY =
  'A transfer of the payment is not deep enough yet. Reject the payment once all its transfers are credited or gone.';

export function decide(command: PaymentIntentCommand, state: PaymentIntent, context: DecisionContext): Decision {
  switch (command.type) {
    case 'create':
      permit(state, 'create', context);
      return [{ type: 'PaymentIntentCreated', data: command.terms }];
    case 'select_method':
      permit(state, 'select_method', context);
      return [{ type: 'MethodSelected', data: command.quote }];
    case 'cancel':
      permit(state, 'cancel', context);
      return [{ type: 'PaymentCanceled', data: {} }];
    case 'expire':
      return decideExpiry(state, context);
    case 'see_transfer':
    case 'move_transfer':
    case 'withdraw_transfer':
    case 'drop_transfer':
    case 'see_confirmation':
    case 'reach_depth':
    case 'lose_settled_transfer':
      return decideTransfer(command, state, context);
    case 'settle':
      return decideSettlement(command, state, context);
    case 'credit_remainder':
    case 'credit_late':
      return decideCredit(command, state, context);
    case 'ask_remainder':
      return decideRemainder(command, state, context);
    case 'screen_payer':
    case 'place_hold':
    case 'release_hold':
    case 'reject_hold':
      return decideHold(command, state, context);
    case 'accept':
      return decideAcceptance(command, state, context);
    case 'resolve':
      return decideResolution(command, state, context);
    default:
      return unreachable(command);
  }
}

function decideExpiry(state: PaymentIntent, context: DecisionContext): Decision {
  permit(state, 'expire', context);
  const expiresAt = quoted(state).quote.quote_expires_at;
  return context.now < parseIsoTime(expiresAt) ? [] : [{ type: 'QuoteExpired', data: { quote_expires_at: expiresAt } }];
}

/** An acceptance needs no note: a blank one is none. */
function decideAcceptance(command: Command<'accept'>, state: PaymentIntent, context: DecisionContext): Decision {
  permit(state, 'accept', context, 'payment_not_underpaid');
  if (isReviewRejected(state)) throw refuse('payment_not_resolvable', { message: REJECTED_ALREADY });
  const note = command.note?.trim() ? checkedDecisionNote(command.note) : null;
  return [{ type: 'PaymentAccepted', data: { note } }, confirmedAsReceived(state, command.standing)];
}

function decideResolution(command: Command<'resolve'>, state: PaymentIntent, context: DecisionContext): Decision {
  const unresolvable: ErrorCode = 'payment_not_resolvable';
  permit(state, command.resolution === 'accepted' ? 'resolve_accepted' : 'resolve_rejected', context, unresolvable);
  if (!isReviewOpen(state)) throw refuse(unresolvable);
  const { resolution } = command;
  const note = checkedDecisionNote(command.note);
  if (resolution === 'rejected') {
    // A rejection ends the payment's claim to more, and a transfer on its way has that claim already.
    if (hasOpenTransfer(state)) throw refuse('invalid_state_transition', { message: STILL_ON_ITS_WAY });
    return [{ type: 'ReviewResolved', data: { resolution, note } }, ...inferredDropped(state)];
  }
  const first: PaymentIntentEvent =
    state.status === 'underpaid'
      ? { type: 'PaymentAccepted', data: { note } }
      : { type: 'ReviewResolved', data: { resolution, note } };
  return [first, confirmedAsReceived(state, command.standing)];
}

/** A rejection says as well that the inferred transfer was not meant for the payment: its claim is to end. */
function inferredDropped(state: PaymentIntent): Decision {
  return Object.values(quoted(state).ledger.transfers)
    .filter(({ attribution }) => attribution === 'inferred')
    .map(({ transfer_id }) => ({ type: 'TransferDropped', data: { transfer_id, reason: 'review_rejected' } }));
}

/** A person's decision confirms no payment either that is unscreened, or whose transfers have left the chain. */
function confirmedAsReceived(state: PaymentIntent, standing: readonly string[]): PaymentIntentEvent {
  const payment = quoted(state);
  const { screened, transfers } = payment.ledger;
  if (isHeld(payment)) throw refuse('compliance_hold');
  const counted = Object.values(transfers).filter((transfer: LedgerTransfer) => transfer.final);
  if (counted.some(({ from }) => !['clear', 'released'].includes(screened[from] ?? '')))
    throw refuse('compliance_hold');
  const isStanding = counted.every(transfer => standing.includes(transfer.transfer_id));
  if (counted.length === 0 || !isStanding) throw refuse('payment_failed');
  return confirmed(payment, receivedBaseUnits(payment));
}

export const paymentIntents: Aggregate<PaymentIntent, PaymentIntentCommand, PaymentIntentEvent> = {
  category: 'payment_intent',
  notFound: 'payment_not_found',
  upcasts: paymentIntentUpcasts,
  initial: NO_PAYMENT_INTENT,
  decide,
  evolve,
  evolveAll,
};
