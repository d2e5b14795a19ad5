import type { ReadModel } from '../../kernel/ports/read-models';
import type { DisabledReason } from './webhook-endpoint.events';

/** A secret without its text, sealed or not; `expires_at` is null for the newest one. */
type SecretRow = { readonly id: string; readonly created: string; readonly expires_at: string | null };

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
  /** The start of the endpoint's last unbroken time as enabled. */
  readonly enabled_at: string;
};

export const webhookEndpointsReadModel: ReadModel<WebhookEndpointDocument> = {
  name: 'webhook_endpoints',
  version: 1,
  indexes: { by_merchant: ['merchant_id', 'mode', 'created', 'id'] },
};
