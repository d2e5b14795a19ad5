import { parseStreamName, type RecordedEvent } from '../../kernel/event';
import { unreachable } from '../../kernel/invariant';
import { parseDeliveryId } from './webhook-delivery.decider';
import type { WebhookDeliveryEvent } from './webhook-delivery.events';

/** The state of an event's delivery to one endpoint. */
export type DeliveryRow = {
  readonly endpoint: string;
  readonly status: 'pending' | 'delivered' | 'exhausted';
  /** Attempts made, including redeliveries. */
  readonly attempts: number;
  /** Null when no attempt is to come: delivered, exhausted, or withheld from a disabled endpoint. */
  readonly next_attempt_at: string | null;
};

/** The row after a further event of its delivery's stream. */
export function deliveryRow(row: DeliveryRow | null, event: RecordedEvent<WebhookDeliveryEvent>): DeliveryRow {
  const fresh: DeliveryRow = { endpoint: endpointOf(event), status: 'pending', attempts: 0, next_attempt_at: null };
  const { status, attempts, next_attempt_at, endpoint } = row ?? fresh;
  const attempted = { endpoint, status, attempts: attempts + 1, next_attempt_at };
  switch (event.type) {
    case 'DeliveryScheduled':
      return { ...fresh, next_attempt_at: event.metadata.occurred_at };
    case 'DeliveryWithheld':
      return fresh;
    case 'DeliverySucceeded':
      return { ...attempted, status: 'delivered', next_attempt_at: null };
    case 'DeliveryAttemptFailed': {
      const next = event.data.next_attempt_at;
      const isSpent = next === null && status === 'pending';
      return { ...attempted, status: isSpent ? 'exhausted' : status, next_attempt_at: next };
    }
    case 'RedeliveryRequested':
      return row ?? fresh;
    case 'RedeliverySucceeded':
      return { ...attempted, status: 'delivered' };
    case 'RedeliveryFailed':
      return attempted;
    default:
      return unreachable(event);
  }
}

function endpointOf(event: RecordedEvent): string {
  return parseDeliveryId(parseStreamName(event.stream).id).endpointId;
}
