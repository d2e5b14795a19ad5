import { MINUTE_MS } from '../../../src/kernel/clock';
import type { RecordedEvent } from '../../../src/kernel/event';
import { RedeliverWebhookEvent } from '../../../src/modules/webhooks/commands/redeliver-webhook-event.command';
import { deliveryId, webhookDeliveries } from '../../../src/modules/webhooks/webhook-delivery.decider';
import { unixSeconds, webhookEventId } from '../../../src/modules/webhooks/webhook-event';
import { broken, PAYMENT, PAYMENT_CREATED, WebhookFixture } from './webhook-fixture';

const MADE_WITHOUT_SCHEDULE = ['DeliveryWithheld', 'RedeliveryRequested', 'RedeliverySucceeded'];

/** A payment's event whose scheduling broke off behind the first of the endpoints. */
async function halfScheduled(fixture: WebhookFixture): Promise<RecordedEvent> {
  const first = await fixture.endpoint();
  const [source] = (await fixture.payment(PAYMENT_CREATED)) as [RecordedEvent];
  const created = unixSeconds(source);
  const facts = { event_type: 'payment.created', payment_intent: PAYMENT, payment_revision: 0, created } as const;
  const id = deliveryId(webhookEventId(source), first.id);
  await fixture.writes.execute(webhookDeliveries, id, { type: 'schedule', facts }, fixture.context());
  return source;
}

async function redeliver(fixture: WebhookFixture, source: RecordedEvent, endpointId: string): Promise<void> {
  const command = new RedeliverWebhookEvent(webhookEventId(source), endpointId, fixture.context());
  await fixture.redelivering.execute(command);
}

describe('a redelivery by hand', () => {
  it('to an endpoint that the scheduling has not come to yet leaves it its schedule', async () => {
    const fixture = new WebhookFixture();
    const second = await fixture.endpoint();
    const source = await halfScheduled(fixture);
    fixture.answer = () => broken;
    await redeliver(fixture, source, second.id);
    await fixture.schedule([source]);
    // The first attempt of the schedule is due as well.
    expect(await fixture.types(source, second.id)).toEqual([
      'DeliveryScheduled',
      'RedeliveryRequested',
      'DeliveryAttemptFailed',
      'RedeliveryFailed',
    ]);
    const attempt = () => fixture.delivery.attempt('test', deliveryId(webhookEventId(source), second.id));
    await attempt();
    expect(fixture.sent).toHaveLength(2);
    fixture.clock.timeMs += MINUTE_MS;
    await attempt();
    expect((await fixture.types(source, second.id)).at(-1)).toBe('DeliveryAttemptFailed');
  });

  it.each<[string, (fixture: WebhookFixture) => Promise<string>]>([
    ['did not want its type', async fixture => (await fixture.endpoint(['payment.failed'])).id],
    [
      'was disabled as it arose',
      async fixture => {
        const { id } = await fixture.endpoint();
        await fixture.setStatus(id, 'disabled');
        return id;
      },
    ],
  ])('to an endpoint that %s is made without a schedule', async (_, made) => {
    const fixture = new WebhookFixture();
    const endpointId = await made(fixture);
    const source = await halfScheduled(fixture);
    fixture.clock.timeMs += 1_000;
    await fixture.setStatus(endpointId, 'enabled');
    await redeliver(fixture, source, endpointId);
    expect(await fixture.types(source, endpointId)).toEqual(MADE_WITHOUT_SCHEDULE);
  });

  it('to an endpoint that is switched off is refused, and the refusal says so', async () => {
    const fixture = new WebhookFixture();
    const { id } = await fixture.endpoint();
    const source = await halfScheduled(fixture);
    await fixture.setStatus(id, 'disabled');
    await expect(redeliver(fixture, source, id)).rejects.toMatchObject({
      code: 'invalid_state_transition',
      param: 'endpoint',
      message: 'The endpoint is switched off, so nothing is sent to it; enable it, then deliver again.',
    });
  });

  it('to an endpoint that was made afterwards is made without a schedule', async () => {
    const fixture = new WebhookFixture();
    const source = await halfScheduled(fixture);
    fixture.clock.timeMs += 1_000;
    const late = await fixture.endpoint();
    await redeliver(fixture, source, late.id);
    expect(await fixture.types(source, late.id)).toEqual(MADE_WITHOUT_SCHEDULE);
  });
});
