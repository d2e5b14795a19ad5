import { unreachable } from '../../kernel/invariant';
import { successorId } from '../../vocabulary/ids';
import type { ErrorCode } from '../../vocabulary/errors';
import { isHeld } from './payment-intent.holds';
import { isMoneyUnderWay, isReviewRejected } from './payment-intent.outcome';
import type { PaymentIntent } from './payment-intent.state';

/**
 * The id of the payment that is started in the place of another: there is one such payment alone, whoever asks for it.
 * Without the key, nobody can tell the id.
 */
export function restartId(paymentIntent: string, idKey: Uint8Array): string {
  return successorId('pi', paymentIntent, idKey, 'restart');
}

/** The reason why a payment cannot be started anew; null where it has ended and none of its money is under way. */
export function restartRefusal(state: PaymentIntent): ErrorCode | null {
  const refusal = refusalInState(state);
  // An invoice makes each of its payments itself: beside a payment that is started here, it would make another one.
  const isOfInvoice = state.status !== 'none' && state.terms.invoice !== null;
  return refusal ?? (isOfInvoice ? 'invalid_state_transition' : null);
}

function refusalInState(state: PaymentIntent): ErrorCode | null {
  switch (state.status) {
    case 'none':
      return 'payment_not_found';
    case 'created':
    case 'awaiting_payment':
    case 'detected':
    case 'confirming':
      return 'invalid_state_transition';
    case 'canceled':
      return 'payment_canceled';
    case 'confirmed':
      return 'payment_already_paid';
    case 'overpaid':
      return 'payment_overpaid';
    case 'underpaid':
      return heldRefusal(state) ?? (isReviewRejected(state) ? null : 'payment_underpaid');
    case 'paid_late':
      return heldRefusal(state) ?? (isReviewRejected(state) ? null : 'invalid_state_transition');
    case 'expired':
      return isMoneyUnderWay(state) ? 'invalid_state_transition' : null;
    case 'failed':
      return heldRefusal(state);
    default:
      return unreachable(state);
  }
}

/** Whether the payment can have been started anew at some time: it ended without money, or still does. */
export function mayHaveRestarted({ status }: PaymentIntent): boolean {
  return !['none', 'created', 'awaiting_payment', 'detected', 'confirming', 'canceled', 'overpaid'].includes(status);
}

function heldRefusal(state: PaymentIntent): 'compliance_hold' | null {
  return isHeld(state) ? 'compliance_hold' : null;
}
