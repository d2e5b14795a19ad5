import { unheardWebhooks } from '../../../src/modules/webhooks/unheard-webhook.decider';
import type { UnheardWebhookEvent } from '../../../src/modules/webhooks/unheard-webhook.events';
import { given } from '../../support/given-when-then';

const AT = { actor: { role: 'sweeper', type: 'system', id: 'webhooks' }, now: 0 } as const;
const facts = {
  event_type: 'payment.created',
  payment_intent: 'pi_1',
  payment_revision: 0,
  created: 1_793_534_400,
} as const;
const unheard: UnheardWebhookEvent = { type: 'WebhookUnheard', data: facts };

it('an event that no endpoint wanted is recorded once', () => {
  given(unheardWebhooks, []).when({ type: 'record', facts }, AT).then([unheard]);
  given(unheardWebhooks, [unheard]).when({ type: 'record', facts }, AT).then([]);
});
