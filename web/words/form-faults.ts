import type { Refusal } from '../../src/vocabulary/errors';
import type { ErrorCode } from '../../src/vocabulary/error-catalogue';
import type { Language, MessageKey } from './language';

type Words = Partial<Record<ErrorCode, MessageKey>>;

const OF_ANY_FORM: Words = {
  rate_limit: 'fault.rate_limit',
  parameter_invalid: 'fault.form',
  parameter_missing: 'fault.form',
  idempotency_key_reuse: 'fault.form',
  idempotency_key_in_use: 'fault.form',
};

/** Of a form that opens a payment, such as those of links and of invoices. */
const OF_NEW_PAYMENT: Words = {
  ...OF_ANY_FORM,
  currency_not_quotable: 'created.none',
  currency_not_supported: 'created.none',
  payments_paused: 'created.none',
  provider_unavailable: 'created.none',
  amount_too_small: 'pay.fault.too_small',
  amount_too_large: 'pay.fault.too_large',
};

/** The words for a refused form, by the place that has the form. Every other refusal says that it did not work. */
const WORDS = {
  checkout: {
    ...OF_ANY_FORM,
    invalid_tx_hash: 'fault.invalid_tx_hash',
    invalid_log_index: 'fault.invalid_log_index',
    duplicate_transaction: 'fault.duplicate_transaction',
    attribution_already_exists: 'fault.attribution_already_exists',
    reservation_not_found: 'fault.reservation_not_found',
    payment_expired: 'fault.payment_expired',
    payment_not_resolvable: 'fault.payment_expired',
    invalid_state_transition: 'fault.state_changed',
    payment_already_paid: 'fault.state_changed',
    payment_canceled: 'fault.state_changed',
    payment_failed: 'fault.state_changed',
    payment_not_quoted: 'fault.state_changed',
    payment_underpaid: 'fault.state_changed',
    payment_overpaid: 'fault.state_changed',
    token_not_enabled: 'fault.unavailable',
    token_disabled: 'fault.unavailable',
    no_route_configured: 'fault.unavailable',
    unsupported_network: 'fault.unavailable',
    wallet_not_verified: 'fault.unavailable',
    insufficient_rate_sources: 'fault.unavailable',
    rate_divergence: 'fault.unavailable',
    payments_paused: 'fault.unavailable',
    provider_unavailable: 'fault.unavailable',
    reservation_capacity_exhausted: 'fault.unavailable',
    amount_too_small: 'fault.unavailable',
  },
  pay: { ...OF_NEW_PAYMENT, invalid_state_transition: 'pay.fault.closed' },
  invoices: {
    ...OF_NEW_PAYMENT,
    invalid_state_transition: 'invoice.fault.changed',
    payment_already_paid: 'invoice.fault.changed',
    payment_overpaid: 'invoice.fault.changed',
    payment_underpaid: 'invoice.fault.changed',
  },
} as const satisfies Readonly<Record<string, Words>>;

/** The words for a refusal by its code and its field, where the code alone says something else. */
const WORDS_BY_FIELD: Readonly<Record<string, MessageKey>> = {
  'invalid_state_transition tx_hash': 'fault.namings_full',
  'rate_limit token_id': 'fault.unpaid_limit',
};

/** The refusal of a form in the customer's words. */
export function faultText(
  { code, param }: Refusal,
  place: keyof typeof WORDS,
  language: Language,
  values: { readonly shop: string; readonly network?: string },
): string {
  const words: Words = WORDS[place];
  return language.say(WORDS_BY_FIELD[`${code} ${param}`] ?? words[code] ?? 'fault.other', values);
}
