import { unreachable } from '../../kernel/invariant';
import { hasOpenTransfer } from './payment-intent.followed';
import { isMoneyUnderWay, missingBaseUnits } from './payment-intent.outcome';
import { isRejected } from './payment-intent.review';
import type { PaymentIntent, QuotedPaymentIntent } from './payment-intent.state';

/**
 * `awaiting`: no transfer has reached the payment, whether or not its quote has ended. `under_way`: a transfer has, and
 * the payment is not settled. `short`: underpaid, or paid late and in review. `paid`: confirmed or overpaid. `ended`:
 * canceled, failed or rejected.
 */
export type Standing = 'awaiting' | 'under_way' | 'short' | 'paid' | 'ended';

/** Whether the payment was canceled, has failed, or was rejected. */
export function hasEnded(state: PaymentIntent): boolean {
  return state.status === 'canceled' || state.status === 'failed' || isRejected(state);
}

export function standingOf(payment: QuotedPaymentIntent): Standing {
  if (hasEnded(payment)) return 'ended';
  const { status } = payment;
  switch (status) {
    case 'awaiting_payment':
    case 'detected':
    case 'confirming':
    case 'expired':
      return isMoneyUnderWay(payment) ? 'under_way' : 'awaiting';
    case 'underpaid':
    case 'paid_late':
      return 'short';
    case 'confirmed':
    case 'overpaid':
      return 'paid';
    case 'canceled':
    case 'failed':
      return 'ended';
    default:
      return unreachable(status);
  }
}

/** Whether the payment asks for money, and no transfer of the payment is on its way. */
export function isWaiting(payment: QuotedPaymentIntent): boolean {
  if (standingOf(payment) === 'awaiting') return true;
  return payment.status === 'underpaid' && !hasEnded(payment) && !hasOpenTransfer(payment);
}

/** The part of the amount due that a payer may send next. */
type MissingPart = { readonly baseUnits: bigint; readonly reservedUntil: string };

/**
 * The remainder of a short payment. While no amount is reserved for a missing part, that part counts as the remainder,
 * and transfers on their way count as come. Null where nothing is missing, nothing has come, or the payment is decided.
 */
export function missingPart(payment: QuotedPaymentIntent): MissingPart | null {
  const standing = standingOf(payment);
  if (standing !== 'under_way' && standing !== 'short') return null;
  const { quote, ledger } = payment;
  const { remainder } = ledger;
  if (remainder !== null)
    return { baseUnits: BigInt(remainder.due_base_units), reservedUntil: remainder.reserved_until };
  const sum = Object.values(ledger.transfers).reduce((total, each) => total + BigInt(each.value_base_units), 0n);
  const missing = sum === 0n ? null : missingBaseUnits(payment, sum);
  return missing === null ? null : { baseUnits: missing, reservedUntil: quote.reserved_until };
}
