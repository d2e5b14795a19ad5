import { SECOND_MS } from '../../../src/kernel/clock';
import type { RecordedEvent } from '../../../src/kernel/event';
import type { MerchantClocks } from '../../../src/kernel/merchant-clocks';
import { RedeliverWebhookEvent } from '../../../src/modules/webhooks/commands/redeliver-webhook-event.command';
import { deliveryRowOf } from '../../../src/modules/webhooks/delivery-row';
import { deliveryId, webhookDeliveries } from '../../../src/modules/webhooks/webhook-delivery.decider';
import { webhookEventId } from '../../../src/modules/webhooks/webhook-event';
import { broken, ok, PAYMENT_CREATED, WebhookFixture } from './webhook-fixture';

const LONGEST_WAIT_MS = 25 * SECOND_MS;
const LONGEST_LOOK_MS = SECOND_MS / 2;

async function stage() {
  const fixture = new WebhookFixture();
  const first = await fixture.endpoint();
  const [source] = (await fixture.payment(PAYMENT_CREATED)) as [RecordedEvent];
  await fixture.schedule([source]);
  const event = webhookEventId(source);
  const row = async (endpoint: string) =>
    deliveryRowOf((await fixture.writes.load(webhookDeliveries, 'test', deliveryId(event, endpoint))).history);
  const redeliver = (endpoint: string) =>
    fixture.redelivering.execute(new RedeliverWebhookEvent(event, endpoint, fixture.context()));
  return { fixture, first, row, redeliver };
}

describe('a redelivery answers the delivery', () => {
  it('as its stream tells it, to a known endpoint and to a new one', async () => {
    const { fixture, first, redeliver, row } = await stage();
    fixture.answer = () => ok;
    for (const { id } of [first, await fixture.endpoint()]) {
      const { delivery } = await redeliver(id);
      expect(delivery).toStrictEqual(await row(id));
      expect(delivery).toMatchObject({ endpoint: id, manual_attempts: 1 });
    }
  });

  it('with its own attempt at least, to each of two at once', async () => {
    const { fixture, first, redeliver, row } = await stage();
    fixture.answer = () => broken;
    const answers = await Promise.all([redeliver(first.id), redeliver(first.id)]);
    const attempts = answers.map(({ delivery }) => delivery.manual_attempts).toSorted();
    expect([
      [1, 2],
      [2, 2],
    ]).toContainEqual(attempts);
    expect((await row(first.id))?.manual_attempts).toBe(2);
  });

  it('as it stands where nobody makes the attempt in time', async () => {
    const { fixture, first, redeliver, row } = await stage();
    const clock: MerchantClocks = fixture.clock;
    let waitedMs = 0;
    jest.spyOn(fixture.delivery, 'attempt').mockReturnValue(new Promise(() => {}));
    jest.spyOn(clock, 'wait').mockImplementation(ms => {
      waitedMs += ms;
      return Promise.resolve();
    });
    const { delivery } = await redeliver(first.id);
    expect(delivery).toStrictEqual(await row(first.id));
    expect(delivery.manual_attempts).toBe(0);
    expect(waitedMs).toBeGreaterThanOrEqual(LONGEST_WAIT_MS);
    expect(waitedMs).toBeLessThan(LONGEST_WAIT_MS + LONGEST_LOOK_MS);
  });
});
