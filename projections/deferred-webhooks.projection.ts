import { streamId, type Projection } from '../src/kernel/projection';
import { deferredWebhooks } from '../src/modules/webhooks/deferred-webhook.decider';
import type { DeferredWebhookEvent } from '../src/modules/webhooks/deferred-webhook.events';
import {
  deferredWebhooksReadModel,
  type DeferredWebhookDocument,
} from '../src/modules/webhooks/deferred-webhooks.read-model';

export const deferredWebhooksProjection: Projection<DeferredWebhookDocument, DeferredWebhookEvent> = {
  ...deferredWebhooksReadModel,
  categories: [deferredWebhooks.category],
  mirrors: true,
  key: streamId,
  on: {
    WebhookDeferred: (_, { data, metadata }): DeferredWebhookDocument => ({
      ...data,
      mode: metadata.mode,
      merchant_id: metadata.merchant_id ?? '',
    }),
    DeferredWebhookOpened: () => null,
  },
};
