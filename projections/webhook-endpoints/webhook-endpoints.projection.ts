import type { RecordedEvent } from '../../src/kernel/event';
import { streamId, type Projection } from '../../src/kernel/projection';
import type { DisabledReason, WebhookEndpointEvent } from '../../src/modules/webhooks/webhook-endpoint.events';

/** Without the secret's text, sealed or not; `expires_at` is null for the newest one. */
export type SecretRow = { readonly id: string; readonly created: string; readonly expires_at: string | null };

export type WebhookEndpointDocument = {
  readonly merchant_id: string;
  readonly mode: string;
  readonly url: string;
  readonly description: string | null;
  readonly enabled_events: readonly string[];
  readonly status: 'enabled' | 'disabled';
  readonly disabled_reason: DisabledReason | null;
  readonly api_version: string;
  readonly secrets: readonly SecretRow[];
  readonly created: string;
  /** Since when it has been enabled without a break, or was until it was disabled. */
  readonly enabled_at: string;
};

type Doc = WebhookEndpointDocument;
type On<T extends WebhookEndpointEvent['type']> = RecordedEvent<Extract<WebhookEndpointEvent, { readonly type: T }>>;

export const webhookEndpointsProjection: Projection<WebhookEndpointDocument> = {
  name: 'webhook_endpoints',
  version: 1,
  categories: ['webhook_endpoint'],
  mirrors: true,
  key: streamId,
  indexes: { by_merchant: ['merchant_id', 'mode', 'created', 'id'] },
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
