import type { CheckoutView } from '../../../src/modules/checkout/queries/checkout-view';

/** The screens of checkout: one for each state of a payment, and for what a state alone does not tell. */
export const SCREENS = [
  'created',
  'awaiting',
  'detected',
  'confirming',
  'confirmed',
  'overpaid',
  'underpaid',
  'underpaid_inferred',
  'underpaid_stopped',
  'rejected',
  'held',
  'expired',
  'paid_late',
  'canceled',
  'failed',
] as const;
export type Screen = (typeof SCREENS)[number];

const UNDER_WAY: readonly string[] = ['seen', 'confirming'];

/** The screen for a payment as it stands. */
export function screenOf(view: CheckoutView): Screen {
  const { status } = view.payment;
  if (view.isRejected) return 'rejected';
  if (view.isHoldOpen) return 'held';
  switch (status) {
    case 'awaiting_payment':
      return 'awaiting';
    case 'expired':
      return isUnderWay(view) ? 'detected' : 'expired';
    case 'underpaid':
      return underpaidScreen(view);
    default:
      return status;
  }
}

/** Money that is not final yet is on its way to the payment. */
export function isUnderWay({ payment }: CheckoutView): boolean {
  return payment.transfers.some(({ status }) => UNDER_WAY.includes(status));
}

function underpaidScreen(view: CheckoutView): Screen {
  if (view.isInferred) return 'underpaid_inferred';
  if (isUnderWay(view)) return 'confirming';
  return view.payment.remaining === null ? 'underpaid_stopped' : 'underpaid';
}
