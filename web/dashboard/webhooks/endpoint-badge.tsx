import type { WebhookEndpointResource } from '../../../src/modules/webhooks/api/webhook-endpoints.contract';
import { Badge } from '../../parts/status-badge';

type Standing = Pick<WebhookEndpointResource, 'status' | 'disabled_reason'>;

/** Whether an endpoint is sent events, and why not. */
export function EndpointBadge({ endpoint: { status, disabled_reason: reason } }: { readonly endpoint: Standing }) {
  if (status === 'enabled') return <Badge tone="ok" text="Enabled" />;
  return reason === 'sustained_failure' ? (
    <Badge tone="bad" text="Disabled: kept failing" />
  ) : (
    <Badge tone="idle" text="Disabled" />
  );
}
