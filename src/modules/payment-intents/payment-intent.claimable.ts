import type { ErrorCode } from '../../vocabulary/errors';
import { unreachable } from '../../kernel/invariant';
import { isHoldRejected } from './payment-intent.holds';
import { isReviewRejected } from './payment-intent.outcome';
import type { PaymentIntent } from './payment-intent.state';
import { takesNoFurther } from './payment-intent.transfers';

/**
 * Whether the payment has the transfer by inference alone, and is not settled yet. A naming still changes that: the
 * transfer then settles the payment as any other does.
 */
export function isInferredYet(state: PaymentIntent, transferId: string): boolean {
  const isOnItsWay = state.status === 'detected' || state.status === 'confirming';
  return isOnItsWay && state.ledger.transfers[transferId]?.attribution === 'inferred';
}

/** Every reason that `claimRefusal` gives. */
export const CLAIM_REFUSALS = [
  'payment_not_found',
  'payment_not_quoted',
  'payment_canceled',
  'payment_failed',
  'payment_already_paid',
  'payment_not_resolvable',
  'invalid_state_transition',
  'compliance_hold',
] as const satisfies readonly ErrorCode[];

/** The reason why a payment can be given no named transfer; null where it can. */
export function claimRefusal(state: PaymentIntent): (typeof CLAIM_REFUSALS)[number] | null {
  switch (state.status) {
    case 'none':
      return 'payment_not_found';
    case 'created':
      return 'payment_not_quoted';
    case 'canceled':
      return 'payment_canceled';
    case 'failed':
      return 'payment_failed';
    case 'confirmed':
    case 'overpaid':
      return 'payment_already_paid';
    case 'paid_late':
      return isReviewRejected(state) ? 'payment_not_resolvable' : 'invalid_state_transition';
    case 'awaiting_payment':
    case 'detected':
    case 'confirming':
    case 'underpaid':
    case 'expired':
      if (isReviewRejected(state)) return 'payment_not_resolvable';
      if (takesNoFurther(state)) return 'invalid_state_transition';
      return isHoldRejected(state) ? 'compliance_hold' : null;
    default:
      return unreachable(state);
  }
}
