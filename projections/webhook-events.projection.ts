import { parseStreamName, type RecordedEvent } from '../src/kernel/event';
import type { Projection } from '../src/kernel/projection';
import { paymentIntents } from '../src/modules/payment-intents/payment-intent.decider';
import type { PaymentIntentEvent } from '../src/modules/payment-intents/payment-intent.events';
import { ALWAYS_TOLD } from '../src/modules/webhooks/told-types';
import { unheardWebhooks } from '../src/modules/webhooks/unheard-webhook.decider';
import type { UnheardWebhookEvent } from '../src/modules/webhooks/unheard-webhook.events';
import { deliveryRow } from '../src/modules/webhooks/delivery-row';
import { parseDeliveryId, webhookDeliveries } from '../src/modules/webhooks/webhook-delivery.decider';
import type { DeliveryFacts, WebhookDeliveryEvent } from '../src/modules/webhooks/webhook-delivery.events';
import { unixSeconds, webhookEventId } from '../src/modules/webhooks/webhook-event';
import { webhookEventsReadModel, type WebhookEventDocument } from '../src/modules/webhooks/webhook-events.read-model';

type Doc = WebhookEventDocument;
type Opening = Extract<WebhookDeliveryEvent, { readonly data: DeliveryFacts }>;
type Attempt = Exclude<WebhookDeliveryEvent, Opening>;

function fresh({ metadata }: RecordedEvent, facts: DeliveryFacts): Doc {
  const { event_type, payment_intent, payment_revision, created } = facts;
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

/** The payment's event, before any delivery of it. */
function arisen(doc: Doc | null, event: RecordedEvent<PaymentIntentEvent>): Doc | null {
  const event_type = ALWAYS_TOLD.get(event.type);
  if (doc || !event_type) return doc;
  const payment_intent = parseStreamName(event.stream).id;
  return fresh(event, { event_type, payment_intent, payment_revision: event.revision, created: unixSeconds(event) });
}

function opened(doc: Doc | null, event: RecordedEvent<Opening>): Doc {
  return withRow(doc ?? fresh(event, event.data), event);
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

/**
 * An event is listed from the payment's event on, where that alone tells what endpoints are told. Others have
 * deliveries, or a stream that says that there are none.
 */
export const webhookEventsProjection: Projection<
  WebhookEventDocument,
  PaymentIntentEvent | UnheardWebhookEvent | WebhookDeliveryEvent
> = {
  ...webhookEventsReadModel,
  categories: [paymentIntents.category, unheardWebhooks.category, webhookDeliveries.category],
  mirrors: false,
  key: event => {
    const { category, id } = parseStreamName(event.stream);
    if (category === paymentIntents.category) return webhookEventId(event);
    return category === unheardWebhooks.category ? id : parseDeliveryId(id).eventId;
  },
  on: {
    ...Object.fromEntries([...ALWAYS_TOLD.keys()].map(type => [type, arisen])),
    WebhookUnheard: (doc, event) => doc ?? fresh(event, event.data),
    DeliveryScheduled: opened,
    DeliveryWithheld: opened,
    DeliverySucceeded: attempted,
    DeliveryAttemptFailed: attempted,
    RedeliverySucceeded: attempted,
    RedeliveryFailed: attempted,
  },
};
