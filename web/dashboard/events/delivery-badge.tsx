import type { WebhookEventResource } from '../../../src/modules/webhooks/api/webhook-events.contract';
import { Badge, type Tone } from '../../parts/status-badge';

type Delivery = WebhookEventResource['deliveries'][number];

/** The states of a delivery in words, the worst first. */
const STATES: Readonly<Record<Delivery['status'], { readonly tone: Tone; readonly text: string }>> = {
  exhausted: { tone: 'bad', text: 'Not delivered' },
  pending: { tone: 'warn', text: 'Under way' },
  withheld: { tone: 'idle', text: 'Not sent' },
  delivered: { tone: 'ok', text: 'Delivered' },
};

export function DeliveryState({ status }: { readonly status: Delivery['status'] }) {
  return <Badge {...STATES[status]} />;
}

/** How an event stands with all endpoints together: the worst of its deliveries. */
export function DeliveryBadge({ deliveries }: { readonly deliveries: readonly Delivery[] }) {
  const worst = (Object.keys(STATES) as Delivery['status'][]).find(state =>
    deliveries.some(({ status }) => status === state),
  );
  return worst === undefined ? <Badge tone="idle" text="No delivery" /> : <DeliveryState status={worst} />;
}
