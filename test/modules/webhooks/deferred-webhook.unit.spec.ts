import { deferredWebhooksProjection } from '../../../projections/deferred-webhooks.projection';
import type { RecordedEvent } from '../../../src/kernel/event';
import { applyEvents, type DocumentChange } from '../../../src/kernel/projection';
import { deferredWebhooks, type DeferredWebhookCommand } from '../../../src/modules/webhooks/deferred-webhook.decider';
import type { DeferredWebhookEvent } from '../../../src/modules/webhooks/deferred-webhook.events';
import { given } from '../../support/given-when-then';
import { AT, FACTS } from './recorded-facts';

const deferred: DeferredWebhookEvent = { type: 'WebhookDeferred', data: FACTS };
const opened: DeferredWebhookEvent = { type: 'DeferredWebhookOpened', data: {} };
const defer = { type: 'defer', facts: FACTS } as const;
const finish = { type: 'finish' } as const;

type Case = readonly [string, readonly DeferredWebhookEvent[], DeferredWebhookCommand, readonly DeferredWebhookEvent[]];

describe('a webhook event', () => {
  it.each<Case>([
    ['is deferred once', [], defer, [deferred]],
    ['that is deferred already stays so', [deferred], defer, []],
    ['whose deliveries were opened is not deferred again', [deferred, opened], defer, []],
    ['is opened once it was deferred', [deferred], finish, [opened]],
    ['is opened once', [deferred, opened], finish, []],
    ['that was not deferred has no end to it', [], finish, []],
  ])('%s', (_, history, command, events) => {
    given(deferredWebhooks, history).when(command, AT).then(events);
  });
});

/** Each event twice, as a runner may give it. */
function documentOf(...events: readonly DeferredWebhookEvent[]) {
  let standing: DocumentChange | null = null;
  events.forEach((event, revision) => {
    const metadata = { merchant_id: 'mch_1', mode: 'live' };
    const recorded = { ...event, stream: 'live.deferred_webhook-evt_1', revision, position: revision, metadata };
    for (let time = 0; time < 2; time++) {
      const before = standing?.body ? { ...standing, body: standing.body } : null;
      const change = applyEvents(
        deferredWebhooksProjection,
        [recorded as unknown as RecordedEvent],
        () => before as never,
      );
      standing = change.get('evt_1') ?? standing;
    }
  });
  return standing as DocumentChange | null;
}

describe('the list of deferred webhooks', () => {
  it('has an event that waits, with what its deliveries tell', () => {
    expect(documentOf(deferred)).toStrictEqual({
      id: 'evt_1',
      version: 0,
      body: { ...FACTS, mode: 'live', merchant_id: 'mch_1' },
    });
  });

  it('has none whose deliveries were opened', () => {
    expect(documentOf(deferred, opened)).toStrictEqual({ id: 'evt_1', version: 1, body: null });
  });
});
