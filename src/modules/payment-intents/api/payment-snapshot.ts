import { NEWEST_API_VERSION, type ApiVersion } from '../../../vocabulary/api-versions';
import { parseIsoTime } from '../../../kernel/clock';
import { parseStreamName, type RecordedEvent } from '../../../kernel/event';
import type { JsonObject } from '../../../vocabulary/json';
import type { PaymentSnapshot } from '../../webhooks/payment-snapshot';
import { presentPaymentIntent } from '../queries/payment-intent.presenter';

type PaymentIntentDocument = Parameters<typeof presentPaymentIntent>[1];

type SnapshotParts = {
  /** The read model's document after the history, as its projection makes it. */
  readonly documentOf: (history: readonly RecordedEvent[]) => PaymentIntentDocument | null;
  readonly inVersion: (resource: JsonObject, version: ApiVersion) => JsonObject;
  readonly checkoutUrl: string;
};

/** The payment as the API showed it then: the same pure projection and presenter, over the history up to that event. */
export function paymentSnapshot({ documentOf, inVersion, checkoutUrl }: SnapshotParts): PaymentSnapshot {
  return (history, apiVersion = NEWEST_API_VERSION) => {
    const last = history.at(-1);
    const document = last ? documentOf(history) : null;
    if (!last || !document) return null;
    const { id } = parseStreamName(last.stream);
    const nowMs = parseIsoTime(last.metadata.occurred_at);
    const resource = presentPaymentIntent(id, document, { checkoutUrl, headNumber: null, nowMs, claims: null });
    return { status: document.status, resource: inVersion(resource, apiVersion) };
  };
}
