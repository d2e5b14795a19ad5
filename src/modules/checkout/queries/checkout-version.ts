import { hash } from 'node:crypto';
import { canonicalJson, type JsonValue } from '../../../vocabulary/json';
import type { CheckoutView } from './checkout-view';

const VERSION_LENGTH = 16;

/** A short text that changes with what a page shows. */
export function pageVersion(shown: object): string {
  return hash('sha256', canonicalJson(shown as JsonValue), 'base64url').slice(0, VERSION_LENGTH);
}

/**
 * The version of a payment's page. The version leaves out the clock, and confirmations beyond the required
 * ones. The version also leaves out the price of an offer, which moves with each rate.
 */
export function checkoutVersion({ nowMs: _, payment, offers, ...view }: CheckoutView): string {
  const transfers = payment.transfers.map(transfer => ({
    ...transfer,
    confirmations: Math.min(transfer.confirmations, transfer.required_confirmations),
  }));
  return pageVersion({
    ...view,
    payment: { ...payment, transfers },
    offers: offers.map(({ tokenAmount: _price, ...offer }) => offer),
  });
}
