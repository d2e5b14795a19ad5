import { isRefusal, type ErrorCode, type Refusal } from './errors';
import { OutcomeUnknown, StoreUnavailable } from './ports/event-store';

/**
 * `engine`: a store is away, and with it all that handlers do; `provider`: something else outside, which only some of
 * them need.
 */
export type Outage = 'engine' | 'provider';

/** Of an error's causes; one that goes deeper says nothing here. */
const CAUSES_LOOKED_AT = 8;

const PROVIDER_CODES: readonly ErrorCode[] = [
  'provider_unavailable',
  'provider_response_invalid',
  'provider_network_mismatch',
];

/** Said by an adapter of what it asks outside: that it is away, or that its answer cannot be used. */
export function isProviderFault(error: unknown): error is Refusal {
  return isRefusal(error) && PROVIDER_CODES.includes(error.code);
}

/** Of the operating system and of name resolution, https://nodejs.org/api/errors.html#common-system-errors */
const NETWORK_CODES: readonly unknown[] = [
  'EAI_AGAIN', 'ECONNABORTED', 'ECONNREFUSED', 'ECONNRESET', 'EHOSTDOWN', 'EHOSTUNREACH', 'ENETDOWN', 'ENETUNREACH', 'ENOTFOUND',
  'EPIPE', 'ETIMEDOUT',
]; // prettier-ignore

/**
 * What was away, where an error or one of its causes says that something was; null where the fault lies with what was
 * asked. Adapters say it by the errors of their ports, so this asks for no driver's own.
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
