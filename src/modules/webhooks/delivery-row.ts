import { parseStreamName, type RecordedEvent } from '../../kernel/event';
import { unreachable } from '../../kernel/invariant';
import { parseDeliveryId } from './webhook-delivery.decider';
import type { WebhookDeliveryEvent } from './webhook-delivery.events';

/** The state of an event's delivery to one endpoint. */
export type DeliveryRow = {
  readonly endpoint: string;
  /** `withheld`: there is no schedule, since the endpoint was disabled as the event arose. */
  readonly status: 'pending' | 'delivered' | 'exhausted' | 'withheld';
  /** Attempts of the schedule that were made. */
  readonly attempts: number;
  /** Redeliveries that were made. */
  readonly manual_attempts: number;
  /** Null when no attempt is to come: delivered, exhausted, or withheld from a disabled endpoint. */
  readonly next_attempt_at: string | null;
};

/** Null for a stream without events. */
export function deliveryRowOf(history: readonly RecordedEvent<WebhookDeliveryEvent>[]): DeliveryRow | null {
  return history.reduce<DeliveryRow | null>(deliveryRow, null);
}

/** The row after a further event of its delivery's stream. */
export function deliveryRow(row: DeliveryRow | null, event: RecordedEvent<WebhookDeliveryEvent>): DeliveryRow {
  const standing = row ?? unopened(event);
  const attempted = { ...standing, attempts: standing.attempts + 1 };
  const redelivered = { ...standing, manual_attempts: standing.manual_attempts + 1 };
  switch (event.type) {
    case 'DeliveryScheduled':
      return { ...unopened(event), next_attempt_at: event.metadata.occurred_at };
    case 'DeliveryWithheld':
      return { ...unopened(event), status: 'withheld' };
    case 'DeliverySucceeded':
      return { ...attempted, status: 'delivered', next_attempt_at: null };
    case 'DeliveryAttemptFailed': {
      const next = event.data.next_attempt_at;
      const isSpent = next === null && standing.status === 'pending';
      return { ...attempted, status: isSpent ? 'exhausted' : standing.status, next_attempt_at: next };
    }
    case 'RedeliveryRequested':
      return standing;
    case 'RedeliverySucceeded':
      return { ...redelivered, status: 'delivered' };
    case 'RedeliveryFailed':
      return redelivered;
    default:
      return unreachable(event);
  }
}

function unopened({ stream }: RecordedEvent): DeliveryRow {
  const { endpointId: endpoint } = parseDeliveryId(parseStreamName(stream).id);
  return { endpoint, status: 'pending', attempts: 0, manual_attempts: 0, next_attempt_at: null };
}
