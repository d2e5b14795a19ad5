import { parseStreamName, type RecordedEvent } from '../src/kernel/event';
import type { Projection } from '../src/kernel/projection';
import { unheardWebhooks } from '../src/modules/webhooks/unheard-webhook.decider';
import type { UnheardWebhookEvent, WebhookUnheard } from '../src/modules/webhooks/unheard-webhook.events';
import { deliveryRow } from '../src/modules/webhooks/delivery-row';
import { parseDeliveryId, webhookDeliveries } from '../src/modules/webhooks/webhook-delivery.decider';
import type { DeliveryFacts, WebhookDeliveryEvent } from '../src/modules/webhooks/webhook-delivery.events';
import { webhookEventsReadModel, type WebhookEventDocument } from '../src/modules/webhooks/webhook-events.read-model';

type Doc = WebhookEventDocument;
type Opening = Extract<WebhookDeliveryEvent, { readonly data: DeliveryFacts }>;
type Attempt = Exclude<WebhookDeliveryEvent, Opening>;

function fresh({ data, metadata }: RecordedEvent<Opening | WebhookUnheard>): Doc {
  const { event_type, payment_intent, payment_revision, created } = data;
  return {
    merchant_id: metadata.merchant_id ?? '',
    mode: metadata.mode,
    type: event_type,
    payment_intent,
    payment_revision,
    created,
    delivered: false,
    deliveries: [],
    exhausted: null,
  };
}

function opened(doc: Doc | null, event: RecordedEvent<Opening>): Doc {
  return withRow(doc ?? fresh(event), event);
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
  return {
    ...doc,
    deliveries,
    delivered: deliveries.every(({ status }) => status === 'delivered'),
    exhausted: deliveries.some(({ status }) => status === 'exhausted') || null,
  };
}

/** Each event has deliveries, or a stream that says that there are none: a log of before has the former alone. */
export const webhookEventsProjection: Projection<WebhookEventDocument, UnheardWebhookEvent | WebhookDeliveryEvent> = {
  ...webhookEventsReadModel,
  categories: [unheardWebhooks.category, webhookDeliveries.category],
  mirrors: false,
  key: ({ stream }) => {
    const { category, id } = parseStreamName(stream);
    return category === unheardWebhooks.category ? id : parseDeliveryId(id).eventId;
  },
  on: {
    WebhookUnheard: (doc, event) => doc ?? fresh(event),
    DeliveryScheduled: opened,
    DeliveryWithheld: opened,
    DeliverySucceeded: attempted,
    DeliveryAttemptFailed: attempted,
    RedeliverySucceeded: attempted,
    RedeliveryFailed: attempted,
  },
};
