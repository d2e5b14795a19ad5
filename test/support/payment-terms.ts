import type { Terms } from '../../src/modules/payment-intents/payment-intent.state';

/** What a payment is created with: 25.00 EUR, and nothing else, unless told. */
export function termsOf(changes: Partial<Terms> = {}): Terms {
  return {
    amount_minor_units: '2500',
    currency: 'EUR',
    currency_decimals: 2,
    metadata: {},
    description: null,
    success_url: null,
    ...changes,
  };
}
