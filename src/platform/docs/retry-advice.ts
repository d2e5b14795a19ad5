import { ERROR_CATALOGUE, type ErrorCode, type ErrorType } from '../../vocabulary/error-catalogue';

/** The advice that follows from the type alone, which a client knows even of a code that is new to it. */
export const RETRY_ADVICE: Readonly<Record<ErrorType, string>> = {
  invalid_request_error: 'Not as it is: the same request will be refused again. Change it first.',
  payment_error: 'Only once something about the payment, its wallet or its route has changed.',
  idempotency_error: 'Not with this key: send the request under a new one.',
  api_error: 'Yes, with the same Idempotency-Key and growing pauses, unless the advice below says otherwise.',
};

/** Codes whose advice differs from their type's. */
const OWN_ADVICE: Readonly<Partial<Record<ErrorCode, string>>> = {
  rate_limit: 'Yes, after as many seconds as Retry-After says.',
  idempotency_key_in_use: 'Yes, after a moment and with the same Idempotency-Key.',
  request_aborted: 'Yes, with the same Idempotency-Key.',
  action_in_flight: 'Yes, once the execution under way has ended.',
  idempotency_record_corrupt: 'Not with this key: look first whether the original took effect.',
  idempotency_response_unavailable: 'No: fetch the object, or roll its secret.',
  idempotency_response_unreadable: 'No: fetch the object.',
  invalid_token_config: 'No: this deployment has to be mended.',
  invalid_config: 'No: this deployment has to be mended.',
};

export function retryAdvice(code: ErrorCode): string {
  return OWN_ADVICE[code] ?? RETRY_ADVICE[ERROR_CATALOGUE[code].type];
}
