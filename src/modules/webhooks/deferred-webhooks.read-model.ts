import type { ReadModel } from '../../kernel/ports/read-models';
import type { DeliveryFacts } from './webhook-delivery.events';

/** A webhook event whose deliveries are still to be opened. Once they are open, there is no document. */
export type DeferredWebhookDocument = DeliveryFacts & {
  readonly mode: string;
  readonly merchant_id: string;
};

/** The order by merchant and time, in which ids of webhook events sort: turns are taken along the index. */
export const deferredWebhooksReadModel: ReadModel<DeferredWebhookDocument> = {
  name: 'deferred_webhooks',
  version: 1,
  indexes: { by_merchant: ['mode', 'merchant_id', 'id'] },
};
