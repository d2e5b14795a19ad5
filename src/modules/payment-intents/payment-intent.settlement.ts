import type { DecisionContext } from '../../kernel/decider';
import { refuse } from '../../vocabulary/errors';
import type { PaymentIntentCommand, ReservedRemainder } from './payment-intent.commands';
import type { PaymentIntentEvent, Remainder } from './payment-intent.events';
import { isHeld } from './payment-intent.holds';
import {
  confirmed,
  inferredAtShared,
  isMerchantsToConfirm,
  isReviewRejected,
  outcome,
  receivedAmounts,
  receivedBaseUnits,
  withoutInferredAtShared,
} from './payment-intent.outcome';
import { permit, quoted } from './payment-intent.permit';
import type { LedgerTransfer, PaymentIntent, QuotedPaymentIntent } from './payment-intent.state';
import { isAsCommitted } from './payment-intent.transfers';

type Settle = Extract<PaymentIntentCommand, { readonly type: 'settle' }>;
type AskRemainder = Extract<PaymentIntentCommand, { readonly type: 'ask_remainder' }>;
type Credit = Extract<PaymentIntentCommand, { readonly type: 'credit_remainder' | 'credit_late' }>;

const TRIGGER_OF_OUTCOME = { exact: 'settle_exact', short: 'settle_short', over: 'settle_over' } as const;

/**
 * The one place where a payment becomes confirmed, underpaid or overpaid by itself. Every transfer must be deep enough,
 * and every payer screened clear or released. Yields no events until both are so.
 */
export function decideSettlement(
  command: Settle,
  state: PaymentIntent,
  context: DecisionContext,
): readonly PaymentIntentEvent[] {
  permit(state, 'settle_exact', context);
  const payment = quoted(state);
  refuseWhileHeld(payment);
  const sure = paidWithoutInferredAtShared(payment);
  if (sure !== null && isReady(sure)) return [...superseded(payment), ...settled(command, sure, context)];
  return isReady(payment) ? settled(command, payment, context) : [];
}

/**
 * The payment without the transfers that were inferred at a shared wallet, where the others pay it; null where they do
 * not. `alsoFinal` names a transfer that is about to count.
 */
export function paidWithoutInferredAtShared(
  payment: QuotedPaymentIntent,
  alsoFinal: string | null = null,
): QuotedPaymentIntent | null {
  const sure = withoutInferredAtShared(payment);
  return sure === null || outcome(sure, receivedBaseUnits(sure, alsoFinal)) === 'short' ? null : sure;
}

function isReady(payment: QuotedPaymentIntent): boolean {
  const transfers = Object.values(payment.ledger.transfers);
  return transfers.length > 0 && transfers.every(transfer => transfer.final && mayCount(payment, transfer));
}

/** The payment is paid without the transfers that came by inference: those were not meant for it. */
function superseded(payment: QuotedPaymentIntent): readonly PaymentIntentEvent[] {
  return inferredAtShared(payment).map(({ transfer_id }) => ({
    type: 'TransferDropped',
    data: { transfer_id, reason: 'superseded' },
  }));
}

/** Every transfer of the payment counts. */
function settled(
  command: Settle,
  payment: QuotedPaymentIntent,
  context: DecisionContext,
): readonly PaymentIntentEvent[] {
  const received = receivedBaseUnits(payment);
  if (isMerchantsToConfirm(payment)) {
    permit(payment, 'settle_inferred', context);
    return [{ type: 'PaymentUnderpaid', data: { ...receivedAmounts(payment, received), remainder: null } }];
  }
  const result = outcome(payment, received);
  permit(payment, TRIGGER_OF_OUTCOME[result], context);
  if (result === 'exact') return [confirmed(payment, received)];
  const amounts = receivedAmounts(payment, received);
  if (result === 'over') {
    const surplus = received - BigInt(payment.quote.due_base_units);
    return [{ type: 'PaymentOverpaid', data: { ...amounts, surplus_base_units: surplus.toString() } }];
  }
  const remainder = remainderOf(command.reserved, received);
  return remainder === undefined ? [] : [{ type: 'PaymentUnderpaid', data: { ...amounts, remainder } }];
}

/**
 * A final transfer that came after the first settlement, or after expiry: late money only enters the review, so its
 * payer may be screened there.
 */
export function decideCredit(
  command: Credit,
  state: PaymentIntent,
  context: DecisionContext,
): readonly PaymentIntentEvent[] {
  const late = command.type === 'credit_late';
  permit(state, late ? 'credit_late' : 'credit_part', context);
  const payment = quoted(state);
  const transfer = payment.ledger.transfers[command.transferId];
  refuseWhileHeld(payment);
  if (isReviewRejected(payment)) return [];
  if (!transfer || transfer.final || !(late || mayCount(payment, transfer))) return [];
  // The transfer has moved since it was looked at, and may not be deep enough in its new block.
  if (!isAsCommitted(transfer, command)) return [];
  const received = receivedBaseUnits(payment, command.transferId);
  const credited = { ...receivedAmounts(payment, received), transfer_id: command.transferId };
  if (command.type === 'credit_late') return [{ type: 'PaidLate', data: credited }];
  const credit: PaymentIntentEvent = { type: 'RemainderCredited', data: credited };
  const sure = paidWithoutInferredAtShared(payment, command.transferId);
  if (sure !== null) {
    permit(state, 'credit_whole', context);
    return [credit, ...superseded(payment), confirmed(sure, receivedBaseUnits(sure, command.transferId))];
  }
  if (isMerchantsToConfirm(payment)) return [credit];
  if (outcome(payment, received) === 'short') {
    const remainder = remainderOf(command.reserved, received);
    if (remainder === undefined) return [];
    return remainder === null ? [credit] : [credit, { type: 'RemainderReserved', data: remainder }];
  }
  permit(state, 'credit_whole', context);
  return [credit, confirmed(payment, received)];
}

/**
 * True where a short payment is to ask for a remainder, and does not. Either no amount was free, or a transfer that
 * counted is gone and the last amount is too small. Nothing is asked for under a hold, whose end brings the next look.
 */
export function lacksRemainder(payment: QuotedPaymentIntent): boolean {
  const { status, ledger } = payment;
  const isToAsk = !isHeld(payment) && !isReviewRejected(payment) && !isMerchantsToConfirm(payment);
  return status === 'underpaid' && ledger.remainder === null && isToAsk;
}

export function decideRemainder(
  command: AskRemainder,
  state: PaymentIntent,
  context: DecisionContext,
): readonly PaymentIntentEvent[] {
  permit(state, 'ask_remainder', context);
  const payment = quoted(state);
  const remainder = lacksRemainder(payment) ? remainderOf(command.reserved, receivedBaseUnits(payment)) : null;
  return remainder ? [{ type: 'RemainderReserved', data: remainder }] : [];
}

/**
 * Undefined where the amount was reserved for the remainder of another sum: the next look at the payment brings the
 * right amount. Null where no amount is free.
 */
function remainderOf(reserved: ReservedRemainder | null, received: bigint): Remainder | null | undefined {
  return reserved?.receivedBaseUnits === received ? reserved.remainder : undefined;
}

function refuseWhileHeld(payment: QuotedPaymentIntent): void {
  if (isHeld(payment)) throw refuse('compliance_hold');
}

function mayCount(payment: QuotedPaymentIntent, transfer: LedgerTransfer): boolean {
  const verdict = payment.ledger.screened[transfer.from];
  return verdict === 'clear' || verdict === 'released';
}
