import type { DecisionContext } from '../../kernel/decider';
import { unreachable } from '../../kernel/invariant';
import { refuse, type ErrorCode } from '../../vocabulary/errors';
import { checkedDecisionNote } from '../../vocabulary/reasons';
import type { PaymentIntentCommand } from './payment-intent.commands';
import type { PaymentIntentEvent } from './payment-intent.events';
import { hasOpenTransfer } from './payment-intent.followed';
import { isHeld } from './payment-intent.holds';
import { confirmed, isReviewRejected, receivedBaseUnits } from './payment-intent.outcome';
import { permit, quoted } from './payment-intent.permit';
import { isReviewOpen } from './payment-intent.review';
import type { LedgerTransfer, PaymentIntent } from './payment-intent.state';

type ReviewCommand = Extract<PaymentIntentCommand, { readonly type: 'accept' | 'resolve' }>;
type Command<T extends ReviewCommand['type']> = Extract<ReviewCommand, { readonly type: T }>;
type Decision = readonly PaymentIntentEvent[];

const REJECTED_ALREADY = 'The payment was rejected in its review.';
const STILL_ON_ITS_WAY =
  'A transfer of the payment is not deep enough yet. Reject the payment once all its transfers are credited or gone.';

/** Decides on a payment that a person accepts as paid, or whose review a person closes. */
export function decideReview(command: ReviewCommand, state: PaymentIntent, context: DecisionContext): Decision {
  switch (command.type) {
    case 'accept':
      return decideAcceptance(command, state, context);
    case 'resolve':
      return decideResolution(command, state, context);
    default:
      return unreachable(command);
  }
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
