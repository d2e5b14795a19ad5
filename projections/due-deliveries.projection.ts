import { parseStreamName, type RecordedEvent } from '../src/kernel/event';
import { deadlineClock, wallTime } from '../src/kernel/merchant-clocks';
import { streamId, type Projection } from '../src/kernel/projection';
import {
  dueDeliveriesReadModel,
  type Due,
  type DueDeliveryDocument,
} from '../src/modules/webhooks/due-deliveries.read-model';
import { parseDeliveryId, webhookDeliveries } from '../src/modules/webhooks/webhook-delivery.decider';
import type { WebhookDeliveryEvent } from '../src/modules/webhooks/webhook-delivery.events';

type Doc = DueDeliveryDocument;
type Attempts = Pick<Doc, 'schedule' | 'manual'>;

function due({ metadata }: RecordedEvent, at: string): Due {
  return { at, wall: wallTime(at, metadata) };
}

function withAttempts({ stream, metadata }: RecordedEvent, { schedule, manual }: Attempts): Doc | null {
  const [first, second] = [schedule ?? manual, manual ?? schedule];
  if (!first || !second) return null;
  const { universe, id } = parseStreamName(stream);
  const { merchant_id: merchantId } = metadata;
  return {
    mode: universe,
    merchant_id: merchantId,
    endpoint: parseDeliveryId(id).endpointId,
    clock: deadlineClock(universe, merchantId),
    due_at: first.at < second.at ? first.at : second.at,
    wall_due_at: first.wall < second.wall ? first.wall : second.wall,
    schedule,
    manual,
  };
}

function withSchedule(doc: Doc | null, event: RecordedEvent, at: string | null): Doc | null {
  return withAttempts(event, { schedule: at === null ? null : due(event, at), manual: doc?.manual ?? null });
}

function redelivered(doc: Doc | null, event: RecordedEvent): Doc | null {
  const { schedule = null, manual = null } = doc ?? {};
  const isLast = manual === null || manual.count <= 1;
  return withAttempts(event, { schedule, manual: isLast ? null : { ...manual, count: manual.count - 1 } });
}

export const dueDeliveriesProjection: Projection<DueDeliveryDocument, WebhookDeliveryEvent> = {
  ...dueDeliveriesReadModel,
  categories: [webhookDeliveries.category],
  mirrors: true,
  key: streamId,
  on: {
    DeliveryScheduled: (doc, event) => withSchedule(doc, event, event.metadata.occurred_at),
    DeliveryWithheld: () => null,
    DeliveryAttemptFailed: (doc, event) => withSchedule(doc, event, event.data.next_attempt_at),
    DeliverySucceeded: (doc, event) => withSchedule(doc, event, null),
    RedeliveryRequested: (doc, event) => {
      const { schedule = null, manual = null } = doc ?? {};
      const since = manual ?? due(event, event.metadata.occurred_at);
      return withAttempts(event, { schedule, manual: { ...since, count: (manual?.count ?? 0) + 1 } });
    },
    RedeliverySucceeded: redelivered,
    RedeliveryFailed: redelivered,
  },
};
