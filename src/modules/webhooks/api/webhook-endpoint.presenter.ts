import { parseIsoTime } from '../../../kernel/clock';
import type { Document } from '../../../kernel/ports/documents';
import type { DeliveryDocument } from '../deliveries.read-model';
import type { SecretRow, WebhookEndpointDocument } from '../webhook-endpoints.read-model';

export type WebhookEndpointResource = {
  readonly id: string;
  readonly object: 'webhook_endpoint';
  readonly mode: string;
  readonly url: string;
  readonly description: string | null;
  readonly enabled_events: readonly string[];
  readonly status: 'enabled' | 'disabled';
  readonly disabled_reason: string | null;
  readonly api_version: string;
  readonly secrets: readonly SecretRow[];
  readonly created: string;
};

/**
 * The endpoint as the API shows it at `now`, by the mode's clock: with the secrets that still sign, never their text.
 */
export function presentWebhookEndpoint(
  { id, body }: Document<WebhookEndpointDocument>,
  now: number,
): WebhookEndpointResource {
  return {
    id,
    object: 'webhook_endpoint',
    mode: body.mode,
    url: body.url,
    description: body.description,
    enabled_events: body.enabled_events,
    status: body.status,
    disabled_reason: body.disabled_reason,
    api_version: body.api_version,
    secrets: body.secrets.filter(({ expires_at }) => expires_at === null || parseIsoTime(expires_at) > now),
    created: body.created,
  };
}

export function presentDeliveryAttempt({ id, body }: Document<DeliveryDocument>) {
  return {
    id,
    object: 'delivery_attempt',
    event: body.event,
    endpoint: body.endpoint,
    attempt: body.attempt,
    trigger: body.trigger,
    status_code: body.status_code,
    error: body.error,
    latency_ms: body.latency_ms,
    response_excerpt: body.response_excerpt,
    created: body.created,
  };
}
