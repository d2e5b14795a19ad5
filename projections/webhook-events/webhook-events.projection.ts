import { parseStreamName, type RecordedEvent } from '../../src/kernel/event';
import type { Projection } from '../../src/kernel/projection';
import { parseDeliveryId } from '../../src/modules/webhooks/webhook-delivery.decider';
import type { DeliveryFacts, WebhookDeliveryEvent } from '../../src/modules/webhooks/webhook-delivery.events';
import type { WebhookType } from '../../src/modules/webhooks/webhook-types';
import { deliveryRow, type DeliveryRow } from './delivery-row';

/**
 * A payment's event that concerns an endpoint. Its data is not kept here: the payment's stream has it, up to
 * `payment_revision`.
 */
export type WebhookEventDocument = {
  readonly merchant_id: string;
  readonly mode: string;
  readonly type: WebhookType;
  readonly payment_intent: string;
  readonly payment_revision: number;
  /** Unix seconds. */
  readonly created: number;
  /** Every endpoint that it concerns has it. */
  readonly delivered: boolean;
  readonly deliveries: readonly DeliveryRow[];
};

export const WEBHOOK_EVENT_FILTERS = ['payment_intent', 'delivered', 'type'] as const;
export type WebhookEventFilter = (typeof WEBHOOK_EVENT_FILTERS)[number];

/** Each set of filters has its index, whose fields it names in the order of WEBHOOK_EVENT_FILTERS. */
const FILTER_SETS: readonly (readonly WebhookEventFilter[])[] = WEBHOOK_EVENT_FILTERS.reduce<WebhookEventFilter[][]>(
  (sets, filter) => [...sets, ...sets.map(set => [...set, filter])],
  [[]],
);

export function indexOf(filters: readonly WebhookEventFilter[]): string {
  return ['by_merchant', ...filters].join('_and_');
}

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

export const webhookEventsProjection: Projection<WebhookEventDocument> = {
  name: 'webhook_events',
  version: 1,
  categories: ['webhook_delivery'],
  mirrors: false,
  key: event => parseDeliveryId(parseStreamName(event.stream).id).eventId,
  indexes: Object.fromEntries(
    FILTER_SETS.map(filters => [indexOf(filters), ['merchant_id', 'mode', ...filters, 'created', 'id']]),
  ),
  on: {
    DeliveryScheduled: opened,
    DeliveryWithheld: opened,
    DeliverySucceeded: attempted,
    DeliveryAttemptFailed: attempted,
    RedeliverySucceeded: attempted,
    RedeliveryFailed: attempted,
  },
};
