import { listedEndpoints } from '../../../projections/webhook-endpoints/listed-endpoints';
import type { Entropy } from '../../kernel/entropy';
import { parseStreamName, type RecordedEvent } from '../../kernel/event';
import type { MerchantClocks } from '../../kernel/merchant-clocks';
import type { EventStore, GroupMessage } from '../../kernel/ports/event-store';
import type { ReadModels } from '../../kernel/ports/read-models';
import type { WritePath } from '../../kernel/write-path';
import type { PaymentSnapshot } from '../../modules/webhooks/payment-snapshot';
import { deliveryId, webhookDeliveries } from '../../modules/webhooks/webhook-delivery.decider';
import { unixSeconds, webhookEventId } from '../../modules/webhooks/webhook-event';
import { isSubscribed, typeOfTransition } from '../../modules/webhooks/webhook-types';
import { EndpointTimelines } from './endpoint-timelines';
import { webhookContext } from './webhook-context';

export type WebhookSchedulingParts = {
  readonly writes: WritePath;
  readonly store: EventStore;
  readonly readModels: ReadModels;
  readonly paymentAsOf: PaymentSnapshot;
  readonly clock: MerchantClocks;
  readonly entropy: Entropy;
};

/**
 * Group `webhooks`, category `payment_intent`: opens a delivery for each endpoint that wanted the transition as its event arose, whatever has
 * become of the endpoint since. Run twice it finds the deliveries open and does nothing.
 */
export class WebhookScheduling {
  private readonly timelines: EndpointTimelines;

  constructor(private readonly parts: WebhookSchedulingParts) {
    this.timelines = new EndpointTimelines(parts.store);
  }

  async handle({ event }: GroupMessage): Promise<void> {
    const { universe, id: paymentIntent } = parseStreamName(event.stream);
    if (universe === 'platform') return;
    const listed = await listedEndpoints(this.parts.readModels, event.metadata.merchant_id, universe);
    if (listed.length === 0) return;
    const type = await this.typeOf(event);
    if (type === null) return;
    const facts = {
      event_type: type,
      payment_intent: paymentIntent,
      payment_revision: event.revision,
      created: unixSeconds(event),
    };
    const now = await this.parts.clock.merchantNow(universe, event.metadata.merchant_id);
    for (const { id } of listed) {
      const endpoint = await this.timelines.at(event, universe, id);
      if (!endpoint || !isSubscribed(endpoint.enabledEvents, type)) continue;
      const command = { type: endpoint.isEnabled ? 'schedule' : 'withhold', facts } as const;
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
}
