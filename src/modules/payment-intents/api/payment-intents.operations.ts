import type { OperationTable } from '../../../platform/http/openapi-operation';
import { listOf, oneOfTexts, timestamp } from '../../../platform/http/openapi-schema';
import { STATUSES } from '../payment-intent.transitions';
import { PAYMENT_INTENT, PAYMENT_INTENT_EVENT } from './payment-intent.schema';

export const PAYMENT_INTENT_OPERATIONS = {
  create: {
    id: 'createPaymentIntent',
    summary: 'Ask for a payment in fiat',
    description: 'Send the customer to `checkout_url`, or select a method yourself and show what to pay.',
    answer: PAYMENT_INTENT,
    refuses: [
      'invalid_amount', 'amount_too_small', 'amount_too_large', 'invalid_currency', 'currency_not_supported',
      'currency_not_quotable', 'invalid_metadata_key', 'invalid_metadata_value', 'metadata_too_large', 'payments_paused',
    ], // prettier-ignore
  },
  list: {
    id: 'listPaymentIntents',
    summary: 'List payments, newest first',
    answer: listOf(PAYMENT_INTENT),
    paged: true,
    query: {
      status: oneOfTexts(STATUSES),
      created_from: timestamp('Created then or later'),
      created_to: timestamp('Created then or earlier'),
    },
    refuses: ['invalid_timestamp', 'invalid_range'],
  },
  get: {
    id: 'getPaymentIntent',
    summary: 'Retrieve a payment',
    answer: PAYMENT_INTENT,
    refuses: ['payment_not_found'],
  },
  events: {
    id: 'listPaymentIntentEvents',
    summary: "List a payment's own history, oldest first",
    answer: listOf(PAYMENT_INTENT_EVENT),
    refuses: ['payment_not_found'],
  },
  selectMethod: {
    id: 'selectPaymentMethod',
    summary: 'Choose the token: locks a quote for 15 minutes and reserves an exact amount',
    answer: PAYMENT_INTENT,
    refuses: [
      'payment_not_found', 'invalid_state_transition', 'unknown_token', 'token_not_enabled', 'unsupported_network',
      'wallet_not_found', 'wallet_not_owned', 'network_mismatch', 'wallet_not_verified', 'no_route_configured',
      'amount_too_small', 'insufficient_rate_sources', 'rate_divergence', 'reservation_capacity_exhausted',
    ], // prettier-ignore
  },
  cancel: {
    id: 'cancelPaymentIntent',
    summary: 'Cancel a payment of which nothing has been seen on chain',
    answer: PAYMENT_INTENT,
    refuses: ['payment_not_found', 'invalid_state_transition'],
  },
  accept: {
    id: 'acceptPaymentIntent',
    summary: 'Accept an underpaid payment as paid',
    answer: PAYMENT_INTENT,
    refuses: ['payment_not_found', 'payment_not_underpaid', 'compliance_hold'],
  },
  resolve: {
    id: 'resolvePaymentIntent',
    summary: 'Decide on a payment that came short or late',
    answer: PAYMENT_INTENT,
    refuses: ['payment_not_found', 'payment_not_resolvable', 'invalid_resolution', 'compliance_hold'],
  },
} as const satisfies OperationTable;
