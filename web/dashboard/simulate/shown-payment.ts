import { isoTime } from '../../../src/kernel/clock';
import type { CheckoutView } from '../../../src/modules/checkout/queries/checkout-view';
import { screenOf, type Screen } from '../../checkout/screens/checkout-screen';
import { payableOf } from '../../checkout/screens/payable';

/** The screens of checkout whose customer is played: before any money, with money missing, and after the price. */
const PLAYED: readonly Screen[] = ['awaiting', 'underpaid', 'expired'];

/** The part of a payment that the panel shows. Prices of offers move with each rate, and are left out. */
export type ShownPayment = ReturnType<typeof shownPayment>;

export function shownPayment(view: CheckoutView) {
  const { payment, offers, isHoldOpen, isRejected } = view;
  const { id, amount, currency, currency_decimals, status, description } = payment;
  return {
    ...{ id, amount, currency, currency_decimals, status, description, isHoldOpen, isRejected },
    toPay: toPayOf(view),
    offers: offers.map(({ tokenId, asset, networkName, unavailable }) => ({
      tokenId,
      asset,
      networkName,
      unavailable,
    })),
  };
}

/** The amount that checkout asks for, or asked for until its price ended; null where nothing is to be paid. */
function toPayOf(view: CheckoutView) {
  const { payment_method: method } = view.payment;
  const payable = PLAYED.includes(screenOf(view)) ? payableOf(view) : null;
  if (method === null || payable === null) return null;
  const { asset_symbol: asset, network_id: network } = method;
  return { amount: payable.amount, asset, network, until: isoTime(payable.endsMs) };
}
