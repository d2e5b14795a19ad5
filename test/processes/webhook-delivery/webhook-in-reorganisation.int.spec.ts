import { MINUTE_MS } from '../../../src/kernel/clock';
import { NETWORKS } from '../../../src/vocabulary/networks';
import type { RecordedEvent } from '../../../src/kernel/event';
import { deliveryId } from '../../../src/modules/webhooks/webhook-delivery.decider';
import { webhookEventId } from '../../../src/modules/webhooks/webhook-event';
import type { NetworkWatcher } from '../../../src/watchers/network-watcher';
import { composePaymentSnapshot } from '../../../src/composition/webhooks';
import { PaymentFixture } from '../../support/payment-fixture';
import { broken, ok, WebhookFixture } from './webhook-fixture';

const PI = 'pi_00000000000000000000000001';
const HASH = `0x${'11'.repeat(32)}`;
const { reinclusionBlocks, finality } = NETWORKS.base;

describe('a webhook that is under way while the chain is reorganised', () => {
  let payments: PaymentFixture;
  let webhooks: WebhookFixture;
  let watcher: NetworkWatcher;
  let endpointId: string;
  let due: bigint;

  beforeEach(async () => {
    payments = new PaymentFixture();
    webhooks = new WebhookFixture(composePaymentSnapshot('https://pay.example'), payments.store);
    endpointId = (await webhooks.endpoint()).id;
    watcher = await payments.watcher();
    due = await payments.quoted(PI);
    payments.chain.mine(payments.transfer(HASH, due));
    await watcher.tick();
  });

  /** Schedules all events of the payment so far, and answers the delivery of the newest event of a type. */
  async function deliveryOf(type: string): Promise<string> {
    const events = await payments.events(PI);
    await webhooks.schedule(events);
    const source = events.findLast(event => event.type === type) as RecordedEvent;
    return deliveryId(webhookEventId(source), endpointId);
  }

  async function attempt(
    delivery: string,
  ): Promise<{ readonly type: string; readonly status: string; readonly text: string }> {
    await webhooks.delivery.attempt('test', delivery);
    const text = webhooks.sent.at(-1)?.body ?? '';
    const { type, data } = JSON.parse(text) as { type: string; data: { status: string } };
    return { type, status: data.status, text };
  }

  it('tells the same bytes at each attempt, though its transfer has gone, and the failure by an event of its own', async () => {
    const detected = await deliveryOf('TransferDetected');
    webhooks.answer = async () => {
      payments.chain.reorganise(1);
      payments.mineEmpty(reinclusionBlocks);
      await watcher.tick();
      payments.mineEmpty(reinclusionBlocks);
      await watcher.tick();
      return broken;
    };
    const first = await attempt(detected);
    expect((await payments.payment(PI)).status).toBe('failed');
    webhooks.answer = () => ok;
    webhooks.clock.timeMs += MINUTE_MS;
    const second = await attempt(detected);
    expect(first).toMatchObject({ type: 'payment.detected', status: 'detected' });
    expect(second.text).toBe(first.text);
    const failed = await attempt(await deliveryOf('PaymentFailed'));
    expect(failed).toMatchObject({ type: 'payment.failed', status: 'failed' });
    expect(webhooks.sent).toHaveLength(3);
  });

  it('tells the same bytes too where its transfer stands in another block by then, and confirms from there', async () => {
    const detected = await deliveryOf('TransferDetected');
    const before = payments.chain.blockOf(HASH)?.hash;
    webhooks.answer = async () => {
      payments.chain.reorganise(1, [payments.transfer(`0x${'22'.repeat(32)}`, 5n), payments.transfer(HASH, due)]);
      await watcher.tick();
      return broken;
    };
    const first = await attempt(detected);
    webhooks.answer = () => ok;
    webhooks.clock.timeMs += MINUTE_MS;
    expect((await attempt(detected)).text).toBe(first.text);
    expect(payments.chain.blockOf(HASH)?.hash).not.toBe(before);
    payments.mineEmpty(finality.test.standard.confirmations);
    await watcher.tick();
    expect(await attempt(await deliveryOf('PaymentConfirmed'))).toMatchObject({
      type: 'payment.confirmed',
      status: 'confirmed',
    });
  });
});
