import type { ApiVersion } from '../../kernel/api-versions';
import type { RecordedEvent } from '../../kernel/event';
import type { JsonObject } from '../../kernel/json';

/**
 * The payment as its history so far tells it: its status, and the resource that the API shows in a version, the newest
 * unless told. Null for an empty history.
 */
export type PaymentSnapshot = (
  history: readonly RecordedEvent[],
  apiVersion?: ApiVersion,
) => { readonly status: string; readonly resource: JsonObject } | null;

/** Under which name the composition root provides the PaymentSnapshot. */
export const PAYMENT_SNAPSHOT = Symbol('PaymentSnapshot');
