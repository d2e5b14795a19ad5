import type { RecordedEvent } from '../../src/kernel/event';
import { streamId, type Projection } from '../../src/kernel/projection';
import { deferredWebhooks } from '../../src/modules/webhooks/deferred-webhook.decider';
import type { DeferredWebhookEvent } from '../../src/modules/webhooks/deferred-webhook.events';
import type { DeliveryFacts } from '../../src/modules/webhooks/webhook-delivery.events';

/** A webhook event whose deliveries are still to be opened. Once they are, it has no document. */
export type DeferredWebhookDocument = DeliveryFacts & {
  readonly mode: string;
  readonly merchant_id: string;
};

type Doc = DeferredWebhookDocument;
type On<T extends DeferredWebhookEvent['type']> = RecordedEvent<Extract<DeferredWebhookEvent, { readonly type: T }>>;

/** By merchant and in the order of time, which ids of webhook events sort by: turns are taken along the index. */
export const deferredWebhooksProjection: Projection<DeferredWebhookDocument> = {
  name: 'deferred_webhooks',
  version: 1,
  categories: [deferredWebhooks.category],
  mirrors: true,
  key: streamId,
  indexes: { by_merchant: ['mode', 'merchant_id', 'id'] },
  on: {
    WebhookDeferred: (_: Doc | null, { data, metadata }: On<'WebhookDeferred'>): Doc => ({
      ...data,
      mode: metadata.mode,
      merchant_id: metadata.merchant_id ?? '',
    }),
    DeferredWebhookOpened: () => null,
  },
};
