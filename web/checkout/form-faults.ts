import { isRefusal, type ErrorCode } from '../../src/vocabulary/errors';
import { ERROR_CATALOGUE } from '../../src/vocabulary/error-catalogue';
import type { Language, MessageKey } from '../words/language';

/** The words for a refused form. Every other refusal says that the form did not work. */
const WORDS: Partial<Record<ErrorCode, MessageKey>> = {
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
  rate_limit: 'fault.rate_limit',
  token_not_enabled: 'fault.unavailable',
  no_route_configured: 'fault.unavailable',
  unsupported_network: 'fault.unavailable',
  wallet_not_verified: 'fault.unavailable',
  insufficient_rate_sources: 'fault.unavailable',
  rate_divergence: 'fault.unavailable',
  payments_paused: 'fault.unavailable',
  provider_unavailable: 'fault.unavailable',
  reservation_capacity_exhausted: 'fault.unavailable',
  amount_too_small: 'fault.unavailable',
  parameter_invalid: 'fault.form',
  parameter_missing: 'fault.form',
  idempotency_key_reuse: 'fault.form',
  idempotency_key_in_use: 'fault.form',
};

/** The words for a refusal by its code and its field, where the code alone says something else. */
const WORDS_BY_FIELD: Readonly<Record<string, MessageKey>> = {
  'invalid_state_transition tx_hash': 'fault.claims_full',
};

type RefusedForm = { readonly status: number; readonly text: string; readonly code: ErrorCode };

/** The refusal of a form in the customer's words; another error is thrown again. */
export function refusedForm(
  error: unknown,
  language: Language,
  values: { readonly network: string; readonly shop: string },
): RefusedForm {
  if (!isRefusal(error)) throw error;
  const { code, param } = error;
  const words = WORDS_BY_FIELD[`${code} ${param}`] ?? WORDS[code] ?? 'fault.other';
  return { status: ERROR_CATALOGUE[code].status, text: language.say(words, values), code };
}
