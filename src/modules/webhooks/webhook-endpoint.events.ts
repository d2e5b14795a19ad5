import type { ApiVersion } from '../../vocabulary/api-versions';

/** `sealed_secret` is the signing secret's text in the secret box, sealed for its id. */
export type WebhookEndpointCreated = {
  readonly type: 'WebhookEndpointCreated';
  readonly data: {
    readonly url: string;
    readonly description: string | null;
    readonly enabled_events: readonly string[];
    readonly api_version: ApiVersion;
    readonly secret_id: string;
    readonly sealed_secret: string;
  };
};
type WebhookEndpointMoved = { readonly type: 'WebhookEndpointMoved'; readonly data: { readonly url: string } };
type WebhookEndpointDescribed = {
  readonly type: 'WebhookEndpointDescribed';
  readonly data: { readonly description: string | null };
};
type WebhookEndpointSubscribed = {
  readonly type: 'WebhookEndpointSubscribed';
  readonly data: { readonly enabled_events: readonly string[] };
};
export type WebhookEndpointEnabled = { readonly type: 'WebhookEndpointEnabled'; readonly data: Record<string, never> };
export type WebhookEndpointDisabled = {
  readonly type: 'WebhookEndpointDisabled';
  readonly data: { readonly reason: DisabledReason };
};
/** Earlier secrets sign until `overlap_ends_at`; a secret with an earlier end keeps it. */
export type SigningSecretRolled = {
  readonly type: 'SigningSecretRolled';
  readonly data: { readonly secret_id: string; readonly sealed_secret: string; readonly overlap_ends_at: string };
};

export type DisabledReason = 'disabled_by_merchant' | 'sustained_failure';

export type WebhookEndpointEvent =
  | WebhookEndpointCreated
  | WebhookEndpointMoved
  | WebhookEndpointDescribed
  | WebhookEndpointSubscribed
  | WebhookEndpointEnabled
  | WebhookEndpointDisabled
  | SigningSecretRolled;
