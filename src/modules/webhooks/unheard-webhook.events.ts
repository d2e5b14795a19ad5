import type { DeliveryFacts } from './webhook-delivery.events';

/**
 * No endpoint wanted the webhook event as it arose, so no delivery tells of it. The account still lists the event, and
 * may have it delivered to an endpoint that was made later. Where the type of the payment's event alone tells what
 * endpoints are told, the payment's event is enough, and there is no such fact.
 */
type WebhookUnheard = { readonly type: 'WebhookUnheard'; readonly data: DeliveryFacts };

export type UnheardWebhookEvent = WebhookUnheard;
