import type { ApiVersion } from '../../vocabulary/api-versions';
import { parseIsoTime, SECOND_MS } from '../../kernel/clock';
import type { RecordedEvent } from '../../kernel/event';
import { recordedId, type IdPrefix } from '../../vocabulary/ids';
import type { JsonObject } from '../../vocabulary/json';
import type { DeliveryFacts } from './webhook-delivery.events';

/** The body of every delivery; `created` is unix seconds. */
type WebhookEnvelope = {
  readonly id: string;
  readonly type: string;
  readonly created: number;
  readonly api_version: string;
  readonly data: JsonObject;
};

/**
 * The webhook event's id for a recorded event. The id is the same however often the recorded event is handled, and ids
 * sort by time.
 */
export function webhookEventId(source: RecordedEvent): string {
  return idOfRecorded('evt', source);
}

export function deliveryAttemptId(attempt: RecordedEvent): string {
  return idOfRecorded('da', attempt);
}

/** Unix seconds, by the mode's clock. */
export function unixSeconds(source: RecordedEvent): number {
  return Math.floor(parseIsoTime(source.metadata.occurred_at) / SECOND_MS);
}

/** `data` is the payment as of `facts.payment_revision`, in the shape of `apiVersion`. */
export function envelope(
  eventId: string,
  facts: DeliveryFacts,
  apiVersion: ApiVersion,
  data: JsonObject,
): WebhookEnvelope {
  return { id: eventId, type: facts.event_type, created: facts.created, api_version: apiVersion, data };
}

function idOfRecorded(prefix: IdPrefix, { id, metadata }: RecordedEvent): string {
  return recordedId(prefix, parseIsoTime(metadata.occurred_at), id);
}
