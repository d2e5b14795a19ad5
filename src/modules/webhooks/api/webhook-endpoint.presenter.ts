import { parseIsoTime } from '../../../kernel/clock';
import type { Document } from '../../../kernel/ports/documents';
import type { DeliveryDocument } from '../deliveries.read-model';
import type { WebhookEndpointDocument } from '../webhook-endpoints.read-model';
import type { DeliveryAttemptResource, WebhookEndpointResource } from './webhook-endpoints.contract';

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

export function presentDeliveryAttempt({ id, body }: Document<DeliveryDocument>): DeliveryAttemptResource {
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
