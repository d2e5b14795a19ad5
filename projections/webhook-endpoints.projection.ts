import { streamId, type Projection } from '../src/kernel/projection';
import type { WebhookEndpointEvent } from '../src/modules/webhooks/webhook-endpoint.events';
import {
  webhookEndpointsReadModel,
  type WebhookEndpointDocument,
} from '../src/modules/webhooks/webhook-endpoints.read-model';

export const webhookEndpointsProjection: Projection<WebhookEndpointDocument, WebhookEndpointEvent> = {
  ...webhookEndpointsReadModel,
  categories: ['webhook_endpoint'],
  mirrors: true,
  key: streamId,
  on: {
    WebhookEndpointCreated: (_, { data, metadata }): WebhookEndpointDocument => ({
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
    WebhookEndpointMoved: (doc, { data }) => doc && { ...doc, url: data.url },
    WebhookEndpointDescribed: (doc, { data }) => doc && { ...doc, description: data.description },
    WebhookEndpointSubscribed: (doc, { data }) => doc && { ...doc, enabled_events: data.enabled_events },
    WebhookEndpointEnabled: (doc, { metadata }) =>
      doc && { ...doc, status: 'enabled', disabled_reason: null, enabled_at: metadata.occurred_at },
    WebhookEndpointDisabled: (doc, { data }) => doc && { ...doc, status: 'disabled', disabled_reason: data.reason },
    SigningSecretRolled: (doc, { data, metadata }) =>
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
