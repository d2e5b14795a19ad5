import type { RecordedEvent } from '../src/kernel/event';
import { streamId, type Projection } from '../src/kernel/projection';
import { deferredWebhooks } from '../src/modules/webhooks/deferred-webhook.decider';
import type { DeferredWebhookEvent } from '../src/modules/webhooks/deferred-webhook.events';
import {
  deferredWebhooksReadModel,
  type DeferredWebhookDocument,
} from '../src/modules/webhooks/deferred-webhooks.read-model';

type Doc = DeferredWebhookDocument;

type On<T extends DeferredWebhookEvent['type']> = RecordedEvent<Extract<DeferredWebhookEvent, { readonly type: T }>>;

export const deferredWebhooksProjection: Projection<DeferredWebhookDocument> = {
  ...deferredWebhooksReadModel,
  categories: [deferredWebhooks.category],
  mirrors: true,
  key: streamId,
  on: {
    WebhookDeferred: (_: Doc | null, { data, metadata }: On<'WebhookDeferred'>): Doc => ({
      ...data,
      mode: metadata.mode,
      merchant_id: metadata.merchant_id ?? '',
    }),
    DeferredWebhookOpened: () => null,
  },
};
