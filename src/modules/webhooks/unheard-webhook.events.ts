import type { DeliveryFacts } from './webhook-delivery.events';

/**
 * No endpoint wanted the webhook event as it arose, so no delivery tells of it. The account still lists the event, and
 * may have it delivered to an endpoint that was made later.
 */
export type WebhookUnheard = { readonly type: 'WebhookUnheard'; readonly data: DeliveryFacts };

export type UnheardWebhookEvent = WebhookUnheard;
