import { isRefusal, type ErrorCode, type Refusal } from '../vocabulary/errors';
import { OutcomeUnknown, StoreUnavailable } from './ports/event-store';

/**
 * `engine`: a store is away, and so every handler fails. `provider`: another service outside is away, which only some
 * handlers need.
 */
export type Outage = 'engine' | 'provider';

/** Causes of an error that are looked at; deeper ones are not. */
const CAUSES_LOOKED_AT = 8;

const PROVIDER_CODES: readonly ErrorCode[] = [
  'provider_unavailable',
  'provider_response_invalid',
  'provider_network_mismatch',
];

/** True for an adapter's refusal which says that a provider is away, or that its answer cannot be used. */
export function isProviderFault(error: unknown): error is Refusal {
  return isRefusal(error) && PROVIDER_CODES.includes(error.code);
}

/** Codes of the operating system and of name resolution, https://nodejs.org/api/errors.html#common-system-errors */
const NETWORK_CODES: readonly unknown[] = [
  'EAI_AGAIN', 'ECONNABORTED', 'ECONNREFUSED', 'ECONNRESET', 'EHOSTDOWN', 'EHOSTUNREACH', 'ENETDOWN', 'ENETUNREACH',
  'ENOTFOUND', 'EPIPE', 'ETIMEDOUT',
]; // prettier-ignore

/**
 * The outage that an error or one of its causes tells of; null where the error is a fault of the question itself.
 * Adapters tell an outage by the errors of their ports, so no driver's own errors are known here.
 */
export function outageOf(error: unknown): Outage | null {
  let each = error;
  for (let depth = 0; depth < CAUSES_LOOKED_AT && each instanceof Error; depth++) {
    if (each instanceof StoreUnavailable || each instanceof OutcomeUnknown) return 'engine';
    if (isProviderFault(each)) return 'provider';
    if (each.name === 'TimeoutError' || NETWORK_CODES.includes((each as NodeJS.ErrnoException).code)) return 'provider';
    each = each.cause;
  }
  return null;
}
