import { HOUR_MS } from '../../../src/kernel/clock';
import type { RecordedEvent } from '../../../src/kernel/event';
import { webhookEndpoints } from '../../../src/modules/webhooks/webhook-endpoint.decider';
import { deliveryId, webhookDeliveries } from '../../../src/modules/webhooks/webhook-delivery.decider';
import { webhookEventId } from '../../../src/modules/webhooks/webhook-event';
import { broken, NOON, ok, PAYMENT, PAYMENT_CREATED, WebhookFixture } from './webhook-fixture';

/** An endpoint, and one attempt of a delivery of its own at each of the given hours after its creation. */
class Receiver {
  readonly fixture = new WebhookFixture();
  id = '';
  private source: RecordedEvent | null = null;
  private count = 0;

  async attempts(outcome: typeof ok, ...hours: readonly number[]): Promise<void> {
    const { fixture } = this;
    if (this.source === null) {
      this.id = (await fixture.endpoint()).id;
      [this.source] = (await fixture.payment(PAYMENT_CREATED)) as [RecordedEvent];
    }
    for (const hour of hours) {
      fixture.clock.timeMs = NOON + hour * HOUR_MS;
      fixture.answer = () => outcome;
      this.count += 1;
      const id = deliveryId(`${webhookEventId(this.source)}${this.count}`, this.id);
      const facts = {
        event_type: 'payment.created',
        payment_intent: PAYMENT,
        payment_revision: 0,
        created: 1,
      } as const;
      await fixture.writes.execute(webhookDeliveries, id, { type: 'schedule', facts }, fixture.context());
      await fixture.delivery.attempt('test', id);
    }
  }

  async status(): Promise<string> {
    return (await this.fixture.writes.load(webhookEndpoints, 'test', this.id)).state.status;
  }
}

const NINE_HOURS = [10, 11, 12, 13, 14, 15, 16, 17, 18];

describe('an endpoint that keeps failing', () => {
  it('is disabled by the tenth failure once nothing was delivered for 72 hours', async () => {
    const receiver = new Receiver();
    await receiver.attempts(broken, ...NINE_HOURS);
    await receiver.attempts(broken, 72 - 1e-6);
    expect(await receiver.status()).toBe('enabled');
    await receiver.attempts(broken, 72);
    expect(await receiver.status()).toBe('disabled');
    const { history } = await receiver.fixture.writes.load(webhookEndpoints, 'test', receiver.id);
    expect(history.at(-1)).toMatchObject({ type: 'WebhookEndpointDisabled', data: { reason: 'sustained_failure' } });
  });

  it('is kept with nine failures in that time', async () => {
    const receiver = new Receiver();
    await receiver.attempts(broken, ...NINE_HOURS.slice(1), 72);
    expect(await receiver.status()).toBe('enabled');
  });

  it('is kept while anything was delivered in that time', async () => {
    const receiver = new Receiver();
    await receiver.attempts(ok, 9);
    await receiver.attempts(broken, ...NINE_HOURS, 80);
    expect(await receiver.status()).toBe('enabled');
    await receiver.attempts(broken, 81 + 1e-6);
    expect(await receiver.status()).toBe('disabled');
  });

  it('is given 72 hours anew when it is enabled', async () => {
    const receiver = new Receiver();
    await receiver.attempts(broken, ...NINE_HOURS, 72);
    expect(await receiver.status()).toBe('disabled');
    await receiver.fixture.setStatus(receiver.id, 'enabled');
    await receiver.attempts(broken, 73, 74);
    expect(await receiver.status()).toBe('enabled');
  });

  it('is not judged by what was never sent', async () => {
    const receiver = new Receiver();
    await receiver.attempts(broken, ...NINE_HOURS);
    await receiver.fixture.setStatus(receiver.id, 'disabled');
    await receiver.attempts(broken, 80);
    const { history } = await receiver.fixture.writes.load(webhookEndpoints, 'test', receiver.id);
    expect(history.map(({ type }) => type)).toEqual(['WebhookEndpointCreated', 'WebhookEndpointDisabled']);
  });
});
