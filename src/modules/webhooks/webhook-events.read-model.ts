import type { ReadModel } from '../../kernel/ports/read-models';
import type { DeliveryRow } from './delivery-row';
import type { WebhookType } from './webhook-types';

/** An event of the account, whoever listened. WebhookPayments has the payment as of `payment_revision`. */
export type WebhookEventDocument = {
  readonly merchant_id: string;
  readonly mode: string;
  readonly type: WebhookType;
  readonly payment_intent: string;
  readonly payment_revision: number;
  /** Unix seconds. */
  readonly created: number;
  /** A delivery was opened, and each that was opened has reached its endpoint, whatever endpoints there are now. */
  readonly delivered: boolean;
  readonly deliveries: readonly DeliveryRow[];
  /** A delivery's attempts are all made, and no redelivery has reached its endpoint; null otherwise. */
  readonly exhausted: true | null;
};

export const WEBHOOK_EVENT_FILTERS = ['payment_intent', 'delivered', 'type'] as const;
type WebhookEventFilter = (typeof WEBHOOK_EVENT_FILTERS)[number];

/** The filters that an index looks up together. A payment has a few dozen events, so the others are tests of these. */
export function lookedUp(filters: readonly WebhookEventFilter[]): readonly WebhookEventFilter[] {
  return filters.includes('payment_intent') ? ['payment_intent'] : filters;
}

export function indexOf(filters: readonly WebhookEventFilter[]): string {
  return ['by_merchant', ...filters].join('_and_');
}

const LOOKED_UP: readonly (readonly WebhookEventFilter[])[] = [
  [],
  ['payment_intent'],
  ['delivered'],
  ['type'],
  ['delivered', 'type'],
];

export const webhookEventsReadModel: ReadModel<WebhookEventDocument> = {
  name: 'webhook_events',
  version: 6,
  indexes: {
    ...Object.fromEntries(
      LOOKED_UP.map(filters => [indexOf(filters), ['merchant_id', 'mode', ...filters, 'created', 'id']]),
    ),
    by_exhausted: ['merchant_id', 'mode', 'exhausted', 'created', 'id'],
  },
  sparse: { by_exhausted: 'exhausted' },
};
