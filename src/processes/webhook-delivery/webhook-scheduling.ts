import { webhookEndpointsProjection } from '../../../projections/webhook-endpoints/webhook-endpoints.projection';
import { parseIsoTime } from '../../kernel/clock';
import type { Entropy } from '../../kernel/entropy';
import { parseStreamName, type Mode, type RecordedEvent } from '../../kernel/event';
import type { MerchantClocks } from '../../kernel/merchant-clocks';
import type { EventStore, GroupMessage } from '../../kernel/ports/event-store';
import type { ReadModels } from '../../kernel/ports/read-models';
import type { WritePath } from '../../kernel/write-path';
import type { PaymentSnapshot } from '../../modules/webhooks/payment-snapshot';
import { deliveryId, webhookDeliveries } from '../../modules/webhooks/webhook-delivery.decider';
import { unixSeconds, webhookEventId } from '../../modules/webhooks/webhook-event';
import { isSubscribed, typeOfTransition } from '../../modules/webhooks/webhook-types';
import { webhookContext } from './webhook-context';

/** More than MAX_ENDPOINTS, which creations at the same moment may pass. */
const ENDPOINTS_READ = 100;

export type WebhookSchedulingParts = {
  readonly writes: WritePath;
  readonly store: EventStore;
  readonly readModels: ReadModels;
  readonly paymentAsOf: PaymentSnapshot;
  readonly clock: MerchantClocks;
  readonly entropy: Entropy;
};

/**
 * Group `webhooks`, category `payment_intent`: opens a delivery for each endpoint that wants the transition which an event made. Run twice it
 * finds the deliveries open and does nothing.
 */
export class WebhookScheduling {
  constructor(private readonly parts: WebhookSchedulingParts) {}

  async handle({ event }: GroupMessage): Promise<void> {
    const { universe, id: paymentIntent } = parseStreamName(event.stream);
    if (universe === 'platform') return;
    const endpoints = await this.endpointsAt(event, universe);
    if (endpoints.length === 0) return;
    const type = await this.typeOf(event);
    if (type === null) return;
    const facts = {
      event_type: type,
      payment_intent: paymentIntent,
      payment_revision: event.revision,
      created: unixSeconds(event),
    };
    const now = await this.parts.clock.merchantNow(universe, event.metadata.merchant_id);
    for (const { id, body } of endpoints.filter(({ body }) => isSubscribed(body.enabled_events, type))) {
      const command = { type: body.status === 'enabled' ? 'schedule' : 'withhold', facts } as const;
      const context = webhookContext(this.parts.entropy, universe, event, now);
      await this.parts.writes.execute(webhookDeliveries, deliveryId(webhookEventId(event), id), command, context);
    }
  }

  private async typeOf(event: RecordedEvent) {
    const { store, paymentAsOf } = this.parts;
    const history = await store.readStream(event.stream, { limit: event.revision + 1 });
    const after = paymentAsOf(history);
    return after && typeOfTransition(paymentAsOf(history.slice(0, -1))?.status ?? null, after.status);
  }

  /** Those that were there as the event arose: an endpoint is not sent the past. */
  private async endpointsAt(event: RecordedEvent, mode: Mode) {
    const merchantId = event.metadata.merchant_id;
    const endpoints = await this.parts.readModels.list(webhookEndpointsProjection, {
      index: 'by_merchant',
      equals: { merchant_id: merchantId, mode },
      limit: ENDPOINTS_READ,
    });
    const occurredMs = parseIsoTime(event.metadata.occurred_at);
    return endpoints.filter(({ body }) => parseIsoTime(body.created) <= occurredMs);
  }
}
