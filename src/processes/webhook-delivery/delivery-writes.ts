import type { CommandContext } from '../../kernel/command-context';
import type { WritePath } from '../../kernel/write-path';
import {
  webhookDeliveries,
  type WebhookDelivery,
  type WebhookDeliveryCommand,
} from '../../modules/webhooks/webhook-delivery.decider';
import type { WebhookDeliveryEvent } from '../../modules/webhooks/webhook-delivery.events';
import type { Executed } from '../../kernel/write-path';

/** Commands of this process to one delivery come one after the other, so that claims and records at the same moment do not conflict. */
export class DeliveryWrites {
  private readonly last = new Map<string, Promise<unknown>>();

  constructor(private readonly writes: WritePath) {}

  execute(
    deliveryId: string,
    command: WebhookDeliveryCommand,
    context: CommandContext,
  ): Promise<Executed<WebhookDelivery, WebhookDeliveryEvent>> {
    const key = `${context.universe}/${deliveryId}`;
    const before = this.last.get(key) ?? Promise.resolve();
    const executed = before.then(() => this.writes.execute(webhookDeliveries, deliveryId, command, context));
    const settled = executed.then(
      () => undefined,
      () => undefined,
    );
    this.last.set(key, settled);
    void settled.then(() => {
      if (this.last.get(key) === settled) this.last.delete(key);
    });
    return executed;
  }
}
