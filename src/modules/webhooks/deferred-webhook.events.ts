import type { DeliveryFacts } from './webhook-delivery.events';

/** A merchant had its share of the openings under way: the deliveries of this event are opened when its turn comes. */
export type WebhookDeferred = { readonly type: 'WebhookDeferred'; readonly data: DeliveryFacts };
/** Each endpoint that wanted the event has its delivery. */
export type DeferredWebhookOpened = { readonly type: 'DeferredWebhookOpened'; readonly data: Record<string, never> };

export type DeferredWebhookEvent = WebhookDeferred | DeferredWebhookOpened;
