import { listedEndpoints } from '../../../projections/webhook-endpoints/listed-endpoints';
import type { Entropy } from '../../kernel/entropy';
import { parseStreamName, streamName, type Mode, type RecordedEvent } from '../../kernel/event';
import { invariant } from '../../kernel/invariant';
import type { MerchantClocks } from '../../kernel/merchant-clocks';
import type { EventStore, GroupMessage } from '../../kernel/ports/event-store';
import type { ReadModels } from '../../kernel/ports/read-models';
import type { WritePath } from '../../kernel/write-path';
import type { PaymentSnapshot } from '../../modules/webhooks/payment-snapshot';
import { deliveryId, webhookDeliveries } from '../../modules/webhooks/webhook-delivery.decider';
import { webhookEndpoints } from '../../modules/webhooks/webhook-endpoint.decider';
import { unixSeconds, webhookEventId } from '../../modules/webhooks/webhook-event';
import { isSubscribed, typeOfTransition } from '../../modules/webhooks/webhook-types';
import { webhookContext } from './webhook-context';

/** Endpoints whose creation a process remembers; others are looked up again. */
const CREATIONS_KEPT = 10_000;

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
  /** Where the log has them, which never changes. */
  private readonly creations = new Map<string, number>();

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

  /**
   * Those that were there as the event arose: an endpoint is not sent the past. The log's order says so, as the clocks of the processes that wrote
   * the two may differ.
   */
  private async endpointsAt(event: RecordedEvent, mode: Mode) {
    const endpoints = await listedEndpoints(this.parts.readModels, event.metadata.merchant_id, mode);
    const positions = await Promise.all(endpoints.map(({ id }) => this.createdAt(mode, id)));
    return endpoints.filter((_, index) => (positions[index] ?? Infinity) < event.position);
  }

  private async createdAt(mode: Mode, endpointId: string): Promise<number> {
    const stream = streamName(mode, webhookEndpoints.category, endpointId);
    const known = this.creations.get(stream);
    if (known !== undefined) return known;
    const [created] = await this.parts.store.readStream(stream, { limit: 1 });
    invariant(created, `${stream} is empty, and it is listed`);
    this.creations.set(stream, created.position);
    for (const oldest of this.creations.keys()) if (this.creations.size > CREATIONS_KEPT) this.creations.delete(oldest);
    return created.position;
  }
}
