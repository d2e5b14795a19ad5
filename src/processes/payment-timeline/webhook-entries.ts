import { eachAtOnce } from '../../kernel/at-once';
import { isoTime, SECOND_MS } from '../../kernel/clock';
import type { RecordedEvent } from '../../kernel/event';
import type { Document } from '../../kernel/ports/documents';
import type { ReadModels } from '../../kernel/ports/read-models';
import type { Mode } from '../../vocabulary/modes';
import type { AttemptEntry, WebhookEntry } from '../../modules/payment-intents/queries/get-payment-timeline.query';
import { deliveriesReadModel } from '../../modules/webhooks/deliveries.read-model';
import { listedEndpoints } from '../../modules/webhooks/listed-endpoints';
import {
  indexOf,
  webhookEventsReadModel,
  type WebhookEventDocument,
} from '../../modules/webhooks/webhook-events.read-model';

/** Webhook events of a payment that are shown: a payment has one for each change of its status, and seldom ten. */
const WEBHOOK_EVENTS_SHOWN = 30;
/** Attempts of one delivery that are shown: the whole schedule, and some redeliveries. */
const ATTEMPTS_SHOWN = 20;
/** Deliveries that are looked at together. */
const AT_ONCE = 8;

type Asked = {
  readonly id: string;
  readonly merchantId: string;
  readonly mode: Mode;
  readonly history: readonly RecordedEvent[];
  /** The moment that is asked for. */
  readonly at: string;
};

/** The webhook events of a payment, and the attempts of their deliveries, the newest events first. */
export async function webhookEntries(
  readModels: ReadModels,
  { id, merchantId, mode, history, at: moment }: Asked,
): Promise<readonly (WebhookEntry | AttemptEntry)[]> {
  const events = await readModels.list(webhookEventsReadModel, {
    index: indexOf(['payment_intent']),
    equals: { merchant_id: merchantId, mode, payment_intent: id },
    descending: true,
    limit: WEBHOOK_EVENTS_SHOWN,
  });
  if (events.length === 0) return [];
  const endpoints = await listedEndpoints(readModels, merchantId, mode);
  const urls = new Map(endpoints.map(({ id: endpoint, body }) => [endpoint, body.url]));
  const entries: (WebhookEntry | AttemptEntry)[] = events.map(event => webhookEntry(event, history, moment));
  const deliveries = events.flatMap(event =>
    event.body.deliveries.map(({ endpoint }) => ({ event: event.id, endpoint })),
  );
  await eachAtOnce(deliveries, AT_ONCE, async ({ event, endpoint }) => {
    const query = { index: 'by_event', equals: { endpoint, event }, descending: true, limit: ATTEMPTS_SHOWN };
    for (const { id: attemptId, body } of await readModels.list(deliveriesReadModel, query))
      entries.push({
        kind: 'attempt',
        id: attemptId,
        at: body.created,
        isLater: body.created > moment,
        event,
        endpoint,
        url: urls.get(endpoint) ?? null,
        attempt: body.attempt,
        trigger: body.trigger,
        succeeded: body.succeeded,
        statusCode: body.status_code,
        error: body.error,
        latencyMs: body.latency_ms,
        excerpt: body.response_excerpt,
      });
  });
  return entries;
}

/** The event stands at the moment of the payment's change that it tells of: its own time has whole seconds alone. */
function webhookEntry(
  { id, body }: Document<WebhookEventDocument>,
  history: readonly RecordedEvent[],
  moment: string,
): WebhookEntry {
  const { type, created, deliveries, delivered, payment_revision } = body;
  const at = history[payment_revision]?.metadata.occurred_at ?? isoTime(created * SECOND_MS);
  const endpoints = deliveries.length;
  return { kind: 'webhook', id, at, isLater: at > moment, type, endpoints, isDelivered: delivered };
}
