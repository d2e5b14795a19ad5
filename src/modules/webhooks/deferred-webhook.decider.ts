import { unreachable } from '../../kernel/invariant';
import type { Aggregate } from '../../kernel/write-path';
import type { DeferredWebhookEvent } from './deferred-webhook.events';
import type { DeliveryFacts } from './webhook-delivery.events';

export type DeferredWebhook = { readonly status: 'none' | 'deferred' | 'opened' };

export type DeferredWebhookCommand =
  { readonly type: 'defer'; readonly facts: DeliveryFacts } | { readonly type: 'finish' };

function decide(command: DeferredWebhookCommand, { status }: DeferredWebhook): readonly DeferredWebhookEvent[] {
  switch (command.type) {
    case 'defer':
      return status === 'none' ? [{ type: 'WebhookDeferred', data: command.facts }] : [];
    case 'finish':
      return status === 'deferred' ? [{ type: 'DeferredWebhookOpened', data: {} }] : [];
    default:
      return unreachable(command);
  }
}

function evolve(state: DeferredWebhook, event: DeferredWebhookEvent): DeferredWebhook {
  switch (event.type) {
    case 'WebhookDeferred':
      return { status: 'deferred' };
    case 'DeferredWebhookOpened':
      return state.status === 'none' ? state : { status: 'opened' };
    default:
      return unreachable(event);
  }
}

/** One stream for a webhook event, by its id, whose deliveries were not opened at once. */
export const deferredWebhooks: Aggregate<DeferredWebhook, DeferredWebhookCommand, DeferredWebhookEvent> = {
  category: 'deferred_webhook',
  notFound: 'resource_missing',
  initial: { status: 'none' },
  decide,
  evolve,
};
