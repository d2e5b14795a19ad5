import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { webhookEventsProjection } from '../../../projections/webhook-events/webhook-events.projection';
import type { CommandContext } from '../../kernel/command-context';
import { refuse } from '../../kernel/errors';
import { isId } from '../../kernel/ids';
import { invariant } from '../../kernel/invariant';
import { PORTS } from '../../kernel/ports/injection';
import type { ReadModels } from '../../kernel/ports/read-models';
import { WritePath } from '../../kernel/write-path';
import { RedeliverWebhookEvent } from '../../modules/webhooks/commands/redeliver-webhook-event.command';
import { deliveryId, permitRedelivery, webhookDeliveries } from '../../modules/webhooks/webhook-delivery.decider';
import { webhookEndpoints } from '../../modules/webhooks/webhook-endpoint.decider';
import { WebhookDelivery } from './webhook-delivery';

@CommandHandler(RedeliverWebhookEvent)
export class RedeliverWebhookEventHandler implements ICommandHandler<RedeliverWebhookEvent> {
  constructor(
    private readonly writes: WritePath,
    private readonly delivery: WebhookDelivery,
    @Inject(PORTS.readModels) private readonly readModels: ReadModels,
  ) {}

  async execute({ eventId, endpointId, context }: RedeliverWebhookEvent): Promise<void> {
    const { universe: mode } = context;
    invariant(mode !== 'platform', 'a webhook event belongs to a mode');
    await this.assertEndpoint(endpointId, context);
    const id = deliveryId(eventId, endpointId);
    permitRedelivery(await this.opened(eventId, id, context));
    await this.delivery.attempt(mode, id, 'manual');
  }

  private async assertEndpoint(endpointId: string, { universe, merchantId }: CommandContext): Promise<void> {
    const unknown = refuse('unknown_endpoint', { param: 'endpoint' });
    if (!isId('we', endpointId)) throw unknown;
    const { state, history } = await this.writes.load(webhookEndpoints, universe, endpointId);
    if (state.status === 'none' || history[0]?.metadata.merchant_id !== merchantId) throw unknown;
    if (state.status === 'disabled') throw refuse('invalid_state_transition', { param: 'endpoint' });
  }

  /** An event that was never meant for this endpoint is opened for it without a schedule. */
  private async opened(eventId: string, id: string, context: CommandContext) {
    const found = isId('evt', eventId)
      ? await this.readModels.get(webhookEventsProjection, context.universe, eventId)
      : null;
    if (found?.body.merchant_id !== context.merchantId || found.body.mode !== context.universe) {
      throw refuse('resource_missing');
    }
    const { type, payment_intent, payment_revision, created } = found.body;
    const facts = { event_type: type, payment_intent, payment_revision, created };
    const { state } = await this.writes.execute(webhookDeliveries, id, { type: 'withhold', facts }, context);
    invariant(state.status !== 'none', `${id} was opened`);
    return state;
  }
}
