import { unreachable } from '../../kernel/invariant';
import type { ErrorCode } from '../../vocabulary/errors';
import { isMoneyUnderWay } from '../../modules/payment-intents/payment-intent.outcome';
import { isRejected } from '../../modules/payment-intents/payment-intent.review';
import type { PaymentIntent } from '../../modules/payment-intents/payment-intent.state';

/**
 * The reason why an invoice with this payment gets no other one; null where the payment has ended unpaid. A payment
 * that was issued and is not made yet is under way.
 */
function formerRefusal(state: PaymentIntent): ErrorCode | null {
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

/**
 * Payments of an invoice whose money is looked for, the newest ones. A payment that has expired takes money for a day,
 * and is paid late by a later naming.
 */
export const PAYMENTS_LOOKED_AT = 10;

/** The same for an invoice by its payments, the newest last: money of an earlier one counts as that of the newest. */
export function invoiceRefusal(payments: readonly PaymentIntent[]): ErrorCode | null {
  return payments.map(formerRefusal).findLast(refusal => refusal !== null) ?? null;
}

/**
 * The place of the payment to which an open invoice leads, among its payments, the newest last. The customer goes on
 * with that payment, sends the remainder of it, has to start another one, or waits for money that is under way.
 */
export function wayOfPayments(payments: readonly PaymentIntent[]): {
  readonly at: number;
  readonly paying: 'go_on' | 'part_paid' | 'anew' | 'under_way';
} {
  const newest = payments.length - 1;
  const late = payments.findLastIndex((payment, at) => at < newest && formerRefusal(payment) !== null);
  if (late >= 0) return { at: late, paying: 'under_way' };
  if (invoiceRefusal(payments) === null) return { at: newest, paying: 'anew' };
  const status = payments.at(-1)?.status ?? 'none';
  if (status === 'underpaid') return { at: newest, paying: 'part_paid' };
  const goesOn = status === 'none' || status === 'created' || status === 'awaiting_payment';
  return { at: newest, paying: goesOn ? 'go_on' : 'under_way' };
}
