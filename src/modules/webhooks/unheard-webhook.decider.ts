import type { Aggregate } from '../../kernel/write-path';
import type { UnheardWebhookEvent } from './unheard-webhook.events';
import type { DeliveryFacts } from './webhook-delivery.events';

type UnheardWebhook = { readonly status: 'none' | 'unheard' };

type UnheardWebhookCommand = { readonly type: 'record'; readonly facts: DeliveryFacts };

function decide({ facts }: UnheardWebhookCommand, { status }: UnheardWebhook): readonly UnheardWebhookEvent[] {
  return status === 'none' ? [{ type: 'WebhookUnheard', data: facts }] : [];
}

/**
 * One stream for a webhook event, by its id, that no endpoint wanted. ALWAYS_TOLD names the events that need none.
 */
export const unheardWebhooks: Aggregate<UnheardWebhook, UnheardWebhookCommand, UnheardWebhookEvent> = {
  category: 'unheard_webhook',
  notFound: 'resource_missing',
  isWrittenOnce: true,
  initial: { status: 'none' },
  decide,
  evolve: () => ({ status: 'unheard' }),
};
