import { isHoldRejected } from './payment-intent.holds';
import { isInReview, isReviewRejected } from './payment-intent.outcome';
import type { PaymentIntent } from './payment-intent.state';

/** Whether the payment is in a review that nobody has decided. */
export function isReviewOpen(state: PaymentIntent): boolean {
  return isInReview(state) && 'ledger' in state && state.ledger.review === 'pending';
}

/** Whether the payment's money was rejected: by compliance under a hold, or in review. */
export function isRejected(state: PaymentIntent): boolean {
  return isHoldRejected(state) || isReviewRejected(state);
}

/**
 * Whether the payment waits for a decision in its review, under an open hold too. A rejected hold has decided the
 * payment: nobody can accept it any more. Its review can still be closed by a rejection, which changes no amount.
 */
export function needsDecision(state: PaymentIntent): boolean {
  return isReviewOpen(state) && !isRejected(state);
}
