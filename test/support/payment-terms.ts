import type { Terms } from '../../src/modules/payment-intents/payment-intent.state';

/** The terms of a new payment: 25.00 EUR, and nothing else, by default. */
export function termsOf(changes: Partial<Terms> = {}): Terms {
  return {
    amount_minor_units: '2500',
    currency: 'EUR',
    currency_decimals: 2,
    metadata: {},
    description: null,
    success_url: null,
    restarted_from: null,
    payment_link: null,
    invoice: null,
    ...changes,
  };
}
