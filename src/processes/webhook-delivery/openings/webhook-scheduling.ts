import { parseStreamName, type RecordedEvent } from '../../../kernel/event';
import type { Mode } from '../../../vocabulary/modes';
import type { GroupMessage } from '../../../kernel/ports/event-store';
import { destination, type Status } from '../../../modules/payment-intents/payment-intent.transitions';
import type { PaymentIntentEvent } from '../../../modules/payment-intents/payment-intent.events';
import type { DeliveryFacts } from '../../../modules/webhooks/webhook-delivery.events';
import { unixSeconds, webhookEventId } from '../../../modules/webhooks/webhook-event';
import type { WebhookPayments } from '../../../modules/webhooks/webhook-payments';
import { typeOfTransition } from '../../../modules/webhooks/webhook-types';
import { Places } from '../dispatch/places';
import { DeferredOpenings, type DeferredOpeningsParts } from './deferred-openings';
import { WebhookOpenings } from './webhook-openings';

/** Events whose deliveries are being opened at once, in each mode. A merchant alone takes no more than four. */
const PLACES = 16;
/** Messages under way at once: a message that has no place is deferred, which is one short write. */
export const MESSAGES_AT_ONCE = 128;

type WebhookSchedulingParts = Omit<DeferredOpeningsParts, 'openings'> & { readonly payments: WebhookPayments };

/**
 * Group `webhooks`, category `payment_intent`. The group is one queue for all merchants and both modes, so no message
 * waits here for a place. An event of a merchant that holds its share of places is deferred. Its deliveries are opened
 * in turns with those of other merchants.
 */
export class WebhookScheduling {
  private readonly openings: WebhookOpenings;
  private readonly deferred: DeferredOpenings;
  private readonly places: Readonly<Record<Mode, Places>> = { live: new Places(PLACES), test: new Places(PLACES) };

  constructor(private readonly parts: WebhookSchedulingParts) {
    this.openings = new WebhookOpenings(parts);
    this.deferred = new DeferredOpenings({ ...parts, openings: this.openings });
  }

  async handle({ event: source }: GroupMessage): Promise<void> {
    const { universe: mode, id } = parseStreamName(source.stream);
    const { merchant_id: merchantId } = source.metadata;
    if (mode === 'platform') return;
    const endpointIds = await this.openings.endpointsOf(mode, merchantId);
    if (endpointIds.length === 0) return;
    const facts = await this.factsOf(source, id);
    if (!facts) return;
    const [places, holder] = [this.places[mode], merchantId ?? ''];
    if (!places.mayTake(holder, 'prompt')) return this.deferred.add({ mode, source, facts });
    places.take(holder, 'prompt');
    try {
      await this.openings.open({ mode, source, facts }, endpointIds);
    } finally {
      places.release(holder, 'prompt');
    }
  }

  /** Opens the deferred events, by any process, until `signal` aborts. */
  run(signal: AbortSignal): Promise<void> {
    return this.deferred.run(signal);
  }

  /** Null for an event of which no endpoint is told. Otherwise the payment is kept before a list can show the event. */
  private async factsOf(source: RecordedEvent, paymentIntent: string): Promise<DeliveryFacts | null> {
    const { stream, revision } = source;
    const before = revision === 0 ? [] : await this.parts.store.readStream(stream, { limit: revision });
    const from = before.reduce(statusAfter, 'none');
    const to = statusAfter(from, source);
    const type = to === 'none' ? null : typeOfTransition(from, to, source.type);
    if (type === null) return null;
    await this.parts.payments.keep(webhookEventId(source), [...before, source]);
    return {
      event_type: type,
      payment_intent: paymentIntent,
      payment_revision: revision,
      created: unixSeconds(source),
    };
  }
}

function statusAfter(before: Status | 'none', { type }: RecordedEvent): Status | 'none' {
  return destination(before, type as PaymentIntentEvent['type']) ?? before;
}
