import { unreachable } from '../../kernel/invariant';
import type { ErrorCode } from '../../vocabulary/errors';
import { isMoneyUnderWay, isReviewRejected } from '../../modules/payment-intents/payment-intent.outcome';
import type { PaymentIntent, QuotedPaymentIntent } from '../../modules/payment-intents/payment-intent.state';

/**
 * The reason why an invoice with this payment gets no other one; null where the payment has ended unpaid. A payment
 * that was claimed and is not made yet is under way.
 */
export function formerRefusal(state: PaymentIntent): ErrorCode | null {
  switch (state.status) {
    case 'none':
    case 'created':
    case 'awaiting_payment':
    case 'detected':
    case 'confirming':
      return 'invalid_state_transition';
    case 'canceled':
    case 'failed':
      return null;
    case 'confirmed':
      return 'payment_already_paid';
    case 'overpaid':
      return 'payment_overpaid';
    case 'underpaid':
      return isRejected(state) ? null : 'payment_underpaid';
    case 'paid_late':
      return isRejected(state) ? null : 'invalid_state_transition';
    case 'expired':
      return isMoneyUnderWay(state) ? 'invalid_state_transition' : null;
    default:
      return unreachable(state);
  }
}

/** The merchant, or compliance, has rejected the money. */
function isRejected(state: QuotedPaymentIntent): boolean {
  return isReviewRejected(state) || state.ledger.hold?.status === 'rejected';
}
