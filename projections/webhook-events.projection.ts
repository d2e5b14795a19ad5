import { parseStreamName, type RecordedEvent } from '../src/kernel/event';
import type { Projection } from '../src/kernel/projection';
import { deliveryRow } from '../src/modules/webhooks/delivery-row';
import { parseDeliveryId } from '../src/modules/webhooks/webhook-delivery.decider';
import type { DeliveryFacts, WebhookDeliveryEvent } from '../src/modules/webhooks/webhook-delivery.events';
import { webhookEventsReadModel, type WebhookEventDocument } from '../src/modules/webhooks/webhook-events.read-model';

type Doc = WebhookEventDocument;
type Opening = Extract<WebhookDeliveryEvent, { readonly data: DeliveryFacts }>;
type Attempt = Exclude<WebhookDeliveryEvent, Opening>;

function opened(doc: Doc | null, event: RecordedEvent<Opening>): Doc {
  const { event_type, payment_intent, payment_revision, created } = event.data;
  const fresh: Doc = {
    merchant_id: event.metadata.merchant_id ?? '',
    mode: event.metadata.mode,
    type: event_type,
    payment_intent,
    payment_revision,
    created,
    delivered: false,
    deliveries: [],
  };
  return withRow(doc ?? fresh, event);
}

function attempted(doc: Doc | null, event: RecordedEvent<Attempt>): Doc | null {
  return doc && withRow(doc, event);
}

function withRow(doc: Doc, event: RecordedEvent<WebhookDeliveryEvent>): Doc {
  const { endpointId } = parseDeliveryId(parseStreamName(event.stream).id);
  const standing = doc.deliveries.find(row => row.endpoint === endpointId) ?? null;
  const row = deliveryRow(standing, event);
  const deliveries = standing
    ? doc.deliveries.map(other => (other === standing ? row : other))
    : [...doc.deliveries, row];
  return { ...doc, deliveries, delivered: deliveries.every(({ status }) => status === 'delivered') };
}

export const webhookEventsProjection: Projection<WebhookEventDocument, WebhookDeliveryEvent> = {
  ...webhookEventsReadModel,
  categories: ['webhook_delivery'],
  mirrors: false,
  key: event => parseDeliveryId(parseStreamName(event.stream).id).eventId,
  on: {
    DeliveryScheduled: opened,
    DeliveryWithheld: opened,
    DeliverySucceeded: attempted,
    DeliveryAttemptFailed: attempted,
    RedeliverySucceeded: attempted,
    RedeliveryFailed: attempted,
  },
};
