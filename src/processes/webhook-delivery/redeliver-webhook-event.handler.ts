import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { SECOND_MS } from '../../kernel/clock';
import type { MerchantContext } from '../../kernel/command-context';
import { fold } from '../../kernel/decider';
import { refuse } from '../../vocabulary/errors';
import { streamName, type RecordedEvent } from '../../kernel/event';
import type { Mode } from '../../vocabulary/modes';
import { isId } from '../../vocabulary/ids';
import { invariant } from '../../kernel/invariant';
import type { MerchantClocks } from '../../kernel/merchant-clocks';
import type { EventStore } from '../../kernel/ports/event-store';
import { PORTS } from '../../kernel/ports/injection';
import type { ReadModels } from '../../kernel/ports/read-models';
import { WritePath } from '../../kernel/write-path';
import {
  RedeliverWebhookEvent,
  type Redelivered,
} from '../../modules/webhooks/commands/redeliver-webhook-event.command';
import { deliveryRowOf, type DeliveryRow } from '../../modules/webhooks/delivery-row';
import { deliveryId, webhookDeliveries } from '../../modules/webhooks/webhook-delivery.decider';
import type { DeliveryFacts } from '../../modules/webhooks/webhook-delivery.events';
import { webhookEndpoints } from '../../modules/webhooks/webhook-endpoint.decider';
import type { WebhookEndpointEvent } from '../../modules/webhooks/webhook-endpoint.events';
import { webhookEventsReadModel } from '../../modules/webhooks/webhook-events.read-model';
import { isSubscribed } from '../../modules/webhooks/webhook-types';
import { DeliveryWrites } from './delivery-writes';
import { Dispatcher } from './dispatch/dispatcher';

/**
 * An answer waits so long for its attempt: a receiver has 10 s to be connected to and 10 s to answer. A redelivery that
 * takes its turn later is answered as it stands.
 */
const LONGEST_WAIT_MS = 25 * SECOND_MS;
const FIRST_LOOK_MS = 20;
const LONGEST_LOOK_MS = SECOND_MS / 2;

type EndpointHistory = readonly RecordedEvent<WebhookEndpointEvent>[];

/**
 * Records the request for the attempt first. The process that sends to the endpoint sends it from the list of due
 * deliveries. So any number of requests opens no more connections than the endpoint is given, and no attempt beyond
 * the bound is made.
 */
@CommandHandler(RedeliverWebhookEvent)
export class RedeliverWebhookEventHandler implements ICommandHandler<RedeliverWebhookEvent> {
  constructor(
    private readonly writes: WritePath,
    private readonly deliveryWrites: DeliveryWrites,
    private readonly dispatcher: Dispatcher,
    @Inject(PORTS.readModels) private readonly readModels: ReadModels,
    @Inject(PORTS.eventStore) private readonly store: EventStore,
    @Inject(PORTS.clock) private readonly clock: MerchantClocks,
  ) {}

  async execute({ eventId, endpointId, context }: RedeliverWebhookEvent): Promise<Redelivered> {
    const { universe: mode } = context;
    const endpoint = await this.endpointHistory(endpointId, context);
    const event = await this.find(eventId, context);
    const { type: event_type, payment_intent, payment_revision, created } = event.body;
    const facts = { event_type, payment_intent, payment_revision, created };
    const opening = (await this.isMeantFor(endpoint, facts, context)) ? 'schedule' : 'withhold';
    const id = deliveryId(eventId, endpointId);
    const { events } = await this.deliveryWrites.execute(id, { type: 'request_redelivery', opening, facts }, context);
    for (const written of events) this.dispatcher.ring(written);
    const requested = events.find(({ type }) => type === 'RedeliveryRequested');
    invariant(requested?.type === 'RedeliveryRequested', `${id} has a requested redelivery`);
    return { event, delivery: await this.made(mode, id, requested.data.redelivery) };
  }

  /** The delivery once the attempt is recorded, or as it stands after LONGEST_WAIT_MS. */
  private async made(mode: Mode, id: string, redelivery: number): Promise<DeliveryRow> {
    let pauseMs = FIRST_LOOK_MS;
    for (let waitedMs = 0; ; waitedMs += pauseMs) {
      const { state, history } = await this.writes.load(webhookDeliveries, mode, id);
      const isMade = state.status !== 'none' && state.redeliveries.made >= redelivery;
      if (isMade || waitedMs >= LONGEST_WAIT_MS) {
        const row = deliveryRowOf(history);
        invariant(row, `${id} has a requested redelivery`);
        return row;
      }
      pauseMs = Math.min(2 * pauseMs, LONGEST_LOOK_MS);
      await this.clock.wait(pauseMs);
    }
  }

  private async endpointHistory(endpointId: string, { universe, merchantId }: MerchantContext) {
    const unknown = refuse('unknown_endpoint', { param: 'endpoint' });
    if (!isId('we', endpointId)) throw unknown;
    const { state, history } = await this.writes.load(webhookEndpoints, universe, endpointId);
    if (state.status === 'none' || history[0]?.metadata.merchant_id !== merchantId) throw unknown;
    if (state.status === 'disabled')
      throw refuse('invalid_state_transition', {
        param: 'endpoint',
        message: 'The endpoint is switched off, so nothing is sent to it; enable it, then deliver again.',
      });
    return history;
  }

  private async find(eventId: string, { universe, merchantId }: MerchantContext) {
    const found = isId('evt', eventId) ? await this.readModels.get(webhookEventsReadModel, universe, eventId) : null;
    if (found?.body.merchant_id !== merchantId || found.body.mode !== universe) throw refuse('resource_missing');
    return found;
  }

  /**
   * Whether the endpoint was enabled, and wanted events of this type, as this event arose. The event's scheduling may
   * not have come to the endpoint yet. The delivery is then opened as the scheduling would open it.
   */
  private async isMeantFor(history: EndpointHistory, facts: DeliveryFacts, { universe }: MerchantContext) {
    const stream = streamName(universe, 'payment_intent', facts.payment_intent);
    const [source] = await this.store.readStream(stream, { from: facts.payment_revision, limit: 1 });
    invariant(source, `${stream} has no event ${facts.payment_revision}, and a delivery tells of it`);
    const endpoint = fold(
      webhookEndpoints,
      history.filter(({ position }) => position < source.position),
    );
    return endpoint.status === 'enabled' && isSubscribed(endpoint.enabledEvents, facts.event_type);
  }
}
