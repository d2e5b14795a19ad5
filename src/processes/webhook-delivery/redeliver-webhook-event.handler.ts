import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { webhookEventsProjection } from '../../../projections/webhook-events/webhook-events.projection';
import type { CommandContext } from '../../kernel/command-context';
import { fold } from '../../kernel/decider';
import { refuse } from '../../kernel/errors';
import { streamName, type RecordedEvent } from '../../kernel/event';
import { isId } from '../../kernel/ids';
import { invariant } from '../../kernel/invariant';
import type { EventStore } from '../../kernel/ports/event-store';
import { PORTS } from '../../kernel/ports/injection';
import type { ReadModels } from '../../kernel/ports/read-models';
import { WritePath } from '../../kernel/write-path';
import { RedeliverWebhookEvent } from '../../modules/webhooks/commands/redeliver-webhook-event.command';
import { deliveryId, permitRedelivery, webhookDeliveries } from '../../modules/webhooks/webhook-delivery.decider';
import type { DeliveryFacts } from '../../modules/webhooks/webhook-delivery.events';
import { webhookEndpoints } from '../../modules/webhooks/webhook-endpoint.decider';
import type { WebhookEndpointEvent } from '../../modules/webhooks/webhook-endpoint.events';
import { isSubscribed } from '../../modules/webhooks/webhook-types';
import { WebhookDelivery } from './webhook-delivery';

type EndpointHistory = readonly RecordedEvent<WebhookEndpointEvent>[];

@CommandHandler(RedeliverWebhookEvent)
export class RedeliverWebhookEventHandler implements ICommandHandler<RedeliverWebhookEvent> {
  constructor(
    private readonly writes: WritePath,
    private readonly delivery: WebhookDelivery,
    @Inject(PORTS.readModels) private readonly readModels: ReadModels,
    @Inject(PORTS.eventStore) private readonly store: EventStore,
  ) {}

  async execute({ eventId, endpointId, context }: RedeliverWebhookEvent): Promise<void> {
    const { universe: mode } = context;
    invariant(mode !== 'platform', 'a webhook event belongs to a mode');
    const endpoint = await this.endpointHistory(endpointId, context);
    const id = deliveryId(eventId, endpointId);
    permitRedelivery(await this.opened(eventId, id, endpoint, context));
    await this.delivery.attempt(mode, id, 'manual');
  }

  private async endpointHistory(endpointId: string, { universe, merchantId }: CommandContext) {
    const unknown = refuse('unknown_endpoint', { param: 'endpoint' });
    if (!isId('we', endpointId)) throw unknown;
    const { state, history } = await this.writes.load(webhookEndpoints, universe, endpointId);
    if (state.status === 'none' || history[0]?.metadata.merchant_id !== merchantId) throw unknown;
    if (state.status === 'disabled') throw refuse('invalid_state_transition', { param: 'endpoint' });
    return history;
  }

  /**
   * As the scheduling opens it, which may not have come to this endpoint yet: an attempt by hand is made beside the schedule and never in its
   * place. An event that was never meant for the endpoint is opened for it without a schedule.
   */
  private async opened(eventId: string, id: string, endpoint: EndpointHistory, context: CommandContext) {
    const found = isId('evt', eventId)
      ? await this.readModels.get(webhookEventsProjection, context.universe, eventId)
      : null;
    if (found?.body.merchant_id !== context.merchantId || found.body.mode !== context.universe) {
      throw refuse('resource_missing');
    }
    const { type: event_type, payment_intent, payment_revision, created } = found.body;
    const facts = { event_type, payment_intent, payment_revision, created };
    const type = (await this.isMeantFor(endpoint, facts, context)) ? 'schedule' : 'withhold';
    const { state } = await this.writes.execute(webhookDeliveries, id, { type, facts }, context);
    invariant(state.status !== 'none', `${id} was opened`);
    return state;
  }

  /** Whether the endpoint was enabled, and wanted events of this type, as this one arose. */
  private async isMeantFor(history: EndpointHistory, facts: DeliveryFacts, { universe }: CommandContext) {
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
