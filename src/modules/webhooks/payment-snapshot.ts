import type { ApiVersion } from '../../vocabulary/api-versions';
import type { RecordedEvent } from '../../kernel/event';
import type { JsonObject } from '../../vocabulary/json';

/**
 * The payment as its history so far tells it: its status, and the resource that the API shows in a version, by default
 * the newest. Null for an empty history.
 */
export type PaymentSnapshot = (
  history: readonly RecordedEvent[],
  apiVersion?: ApiVersion,
) => { readonly status: string; readonly resource: JsonObject } | null;
