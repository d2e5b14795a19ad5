import type { CommandContext } from '../../kernel/command-context';
import { TurnsByKey } from '../../kernel/turns-by-key';
import type { Executed, WritePath } from '../../kernel/write-path';
import {
  webhookDeliveries,
  type WebhookDelivery,
  type WebhookDeliveryCommand,
} from '../../modules/webhooks/webhook-delivery.decider';
import type { WebhookDeliveryEvent } from '../../modules/webhooks/webhook-delivery.events';

/**
 * Commands of this process to one delivery come one after the other, so that requests and records at the same moment
 * do not conflict.
 */
export class DeliveryWrites {
  private readonly turns = new TurnsByKey();

  constructor(private readonly writes: WritePath) {}

  execute(
    deliveryId: string,
    command: WebhookDeliveryCommand,
    context: CommandContext,
  ): Promise<Executed<WebhookDelivery, WebhookDeliveryEvent>> {
    const key = `${context.universe}/${deliveryId}`;
    return this.turns.run(key, () => this.writes.execute(webhookDeliveries, deliveryId, command, context));
  }
}
