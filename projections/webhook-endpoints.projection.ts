import type { RecordedEvent } from '../src/kernel/event';
import { streamId, type Projection } from '../src/kernel/projection';
import type { WebhookEndpointEvent } from '../src/modules/webhooks/webhook-endpoint.events';
import {
  webhookEndpointsReadModel,
  type WebhookEndpointDocument,
} from '../src/modules/webhooks/webhook-endpoints.read-model';

type Doc = WebhookEndpointDocument;

type On<T extends WebhookEndpointEvent['type']> = RecordedEvent<Extract<WebhookEndpointEvent, { readonly type: T }>>;

export const webhookEndpointsProjection: Projection<WebhookEndpointDocument> = {
  ...webhookEndpointsReadModel,
  categories: ['webhook_endpoint'],
  mirrors: true,
  key: streamId,
  on: {
    WebhookEndpointCreated: (_: Doc | null, { data, metadata }: On<'WebhookEndpointCreated'>): Doc => ({
      merchant_id: metadata.merchant_id ?? '',
      mode: metadata.mode,
      url: data.url,
      description: data.description,
      enabled_events: data.enabled_events,
      status: 'enabled',
      disabled_reason: null,
      api_version: data.api_version,
      secrets: [{ id: data.secret_id, created: metadata.occurred_at, expires_at: null }],
      created: metadata.occurred_at,
      enabled_at: metadata.occurred_at,
    }),
    WebhookEndpointMoved: (doc: Doc | null, { data }: On<'WebhookEndpointMoved'>) => doc && { ...doc, url: data.url },
    WebhookEndpointDescribed: (doc: Doc | null, { data }: On<'WebhookEndpointDescribed'>) =>
      doc && { ...doc, description: data.description },
    WebhookEndpointSubscribed: (doc: Doc | null, { data }: On<'WebhookEndpointSubscribed'>) =>
      doc && { ...doc, enabled_events: data.enabled_events },
    WebhookEndpointEnabled: (doc: Doc | null, { metadata }: On<'WebhookEndpointEnabled'>) =>
      doc && { ...doc, status: 'enabled', disabled_reason: null, enabled_at: metadata.occurred_at },
    WebhookEndpointDisabled: (doc: Doc | null, { data }: On<'WebhookEndpointDisabled'>) =>
      doc && { ...doc, status: 'disabled', disabled_reason: data.reason },
    SigningSecretRolled: (doc: Doc | null, { data, metadata }: On<'SigningSecretRolled'>) =>
      doc && {
        ...doc,
        secrets: [
          { id: data.secret_id, created: metadata.occurred_at, expires_at: null },
          ...doc.secrets
            .map(secret => ({ ...secret, expires_at: secret.expires_at ?? data.overlap_ends_at }))
            .filter(secret => secret.expires_at > metadata.occurred_at),
        ],
      },
  },
};
