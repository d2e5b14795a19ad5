import type { DeliveryFacts } from './webhook-delivery.events';

/** A merchant's share of openings under way is used up. The deliveries of this event are opened when its turn comes. */
export type WebhookDeferred = { readonly type: 'WebhookDeferred'; readonly data: DeliveryFacts };
/** Each endpoint that wanted the event has its delivery. */
export type DeferredWebhookOpened = { readonly type: 'DeferredWebhookOpened'; readonly data: Record<string, never> };

export type DeferredWebhookEvent = WebhookDeferred | DeferredWebhookOpened;
