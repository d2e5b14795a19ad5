import { parseStreamName, type RecordedEvent } from '../../../kernel/event';
import type { Mode } from '../../../vocabulary/modes';
import type { GroupMessage } from '../../../kernel/ports/event-store';
import { destination, type Status } from '../../../modules/payment-intents/payment-intent.transitions';
import type { PaymentIntentEvent } from '../../../modules/payment-intents/payment-intent.events';
import type { DeliveryFacts } from '../../../modules/webhooks/webhook-delivery.events';
import { isEverTold } from '../../../modules/webhooks/told-types';
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

type Told = { readonly facts: DeliveryFacts; readonly history: readonly RecordedEvent[] };

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
    if (mode === 'platform') return;
    const told = await this.toldBy(source, id);
    if (!told) return;
    const { merchant_id: merchantId } = source.metadata;
    const endpointIds = await this.openings.endpoints.of(mode, merchantId);
    const telling = { mode, source, facts: told.facts };
    // An account without endpoints costs a short write for each event that its type alone does not list.
    if (endpointIds.length === 0) return this.openings.open(telling, endpointIds);
    await this.parts.payments.keep(webhookEventId(source), told.history);
    const [places, holder] = [this.places[mode], merchantId ?? ''];
    if (!places.mayTake(holder, 'prompt')) return this.deferred.add(telling);
    places.take(holder, 'prompt');
    try {
      await this.openings.open(telling, endpointIds);
    } finally {
      places.release(holder, 'prompt');
    }
  }

  /** Opens the deferred events, by any process, until `signal` aborts. */
  run(signal: AbortSignal): Promise<void> {
    void this.openings.endpoints.prepare();
    return this.deferred.run(signal);
  }

  /** The facts for endpoints, and the payment's history up to the event; null where they are not told of it. */
  private async toldBy(source: RecordedEvent, paymentIntent: string): Promise<Told | null> {
    const { stream, revision } = source;
    if (!isEverTold(source.type)) return null;
    const before = revision === 0 ? [] : await this.parts.store.readStream(stream, { limit: revision });
    const from = before.reduce(statusAfter, 'none');
    const to = statusAfter(from, source);
    const type = to === 'none' ? null : typeOfTransition(from, to, source.type);
    if (type === null) return null;
    const created = unixSeconds(source);
    const facts = { event_type: type, payment_intent: paymentIntent, payment_revision: revision, created };
    return { facts, history: [...before, source] };
  }
}

function statusAfter(before: Status | 'none', { type }: RecordedEvent): Status | 'none' {
  return destination(before, type as PaymentIntentEvent['type']) ?? before;
}
