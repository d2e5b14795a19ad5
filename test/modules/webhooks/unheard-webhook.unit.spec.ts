import { unheardWebhooks } from '../../../src/modules/webhooks/unheard-webhook.decider';
import type { UnheardWebhookEvent } from '../../../src/modules/webhooks/unheard-webhook.events';
import { given } from '../../support/given-when-then';
import { AT, FACTS } from './recorded-facts';

const unheard: UnheardWebhookEvent = { type: 'WebhookUnheard', data: FACTS };

it('an event that no endpoint wanted is recorded once', () => {
  given(unheardWebhooks, []).when({ type: 'record', facts: FACTS }, AT).then([unheard]);
  given(unheardWebhooks, [unheard]).when({ type: 'record', facts: FACTS }, AT).then([]);
});
