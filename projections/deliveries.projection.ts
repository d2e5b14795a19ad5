import { parseStreamName, type RecordedEvent } from '../src/kernel/event';
import type { Projection } from '../src/kernel/projection';
import { deliveriesReadModel, type DeliveryDocument } from '../src/modules/webhooks/deliveries.read-model';
import { isDelivered, parseDeliveryId } from '../src/modules/webhooks/webhook-delivery.decider';
import type { AttemptEvent, WebhookDeliveryEvent } from '../src/modules/webhooks/webhook-delivery.events';
import { deliveryAttemptId } from '../src/modules/webhooks/webhook-event';

type Handler = (doc: DeliveryDocument | null, event: RecordedEvent<AttemptEvent>) => DeliveryDocument;

function attempted(trigger: DeliveryDocument['trigger']): Handler {
  return (_, { stream, data, metadata }) => {
    const { eventId, endpointId } = parseDeliveryId(parseStreamName(stream).id);
    return {
      merchant_id: metadata.merchant_id ?? '',
      mode: metadata.mode,
      event: eventId,
      endpoint: endpointId,
      attempt: data.attempt,
      trigger,
      succeeded: isDelivered(data.status_code),
      status_code: data.status_code,
      error: data.error,
      latency_ms: data.latency_ms,
      response_excerpt: data.response_excerpt,
      created: metadata.occurred_at,
    };
  };
}

export const deliveriesProjection: Projection<DeliveryDocument, WebhookDeliveryEvent> = {
  ...deliveriesReadModel,
  categories: ['webhook_delivery'],
  mirrors: false,
  key: deliveryAttemptId,
  on: {
    DeliverySucceeded: attempted('schedule'),
    DeliveryAttemptFailed: attempted('schedule'),
    RedeliverySucceeded: attempted('manual'),
    RedeliveryFailed: attempted('manual'),
  },
};
