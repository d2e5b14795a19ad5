import Stripe from 'stripe';
import { HOUR_MS, isoTime, MINUTE_MS } from '../../../src/kernel/clock';
import type { RecordedEvent } from '../../../src/kernel/event';
import { StoreUnavailable } from '../../../src/kernel/ports/event-store';
import type { WebhookRequest } from '../../../src/kernel/ports/webhook-sender';
import { deliveryId } from '../../../src/modules/webhooks/webhook-delivery.decider';
import { webhookEndpoints } from '../../../src/modules/webhooks/webhook-endpoint.decider';
import { webhookEventId } from '../../../src/modules/webhooks/webhook-event';
import { broken, NOON, ok, PAYMENT, PAYMENT_CREATED, WebhookFixture } from './webhook-fixture';

/** The first attempt and the seven after it, in minutes after the one before. */
const MINUTES_BETWEEN = [0, 1, 5, 30, 120, 360, 720, 1_440];

function verified(fixture: WebhookFixture, secret: string, index = 0): unknown {
  const { body, headers } = fixture.sent[index] as WebhookRequest;
  const header = String(headers['service-signature']);
  return Stripe.webhooks.constructEvent(body, header, secret, 300, undefined, fixture.clock.now());
}

describe('WebhookDelivery', () => {
  it('delivers at once what was scheduled, as the published verifier accepts it', async () => {
    const fixture = new WebhookFixture();
    const { source, endpoint, deliveryId } = await fixture.scheduled();
    await fixture.delivery.attempt('test', deliveryId);
    expect(verified(fixture, endpoint.secret)).toEqual({
      id: webhookEventId(source),
      type: 'payment.created',
      created: NOON / 1_000,
      api_version: '2026-11-01',
      data: { id: PAYMENT, object: 'payment_intent', status: 'created' },
    });
    expect(fixture.sent.map(({ url, mode }) => ({ url, mode }))).toEqual([{ url: endpoint.url, mode: 'test' }]);
    const history = await fixture.history(source, endpoint.id);
    expect(history.slice(1).map(({ type, data }) => ({ type, data }))).toEqual([
      {
        type: 'DeliverySucceeded',
        data: { attempt: 1, status_code: 200, error: null, latency_ms: 5, response_excerpt: 'ok' },
      },
    ]);
  });

  it('asks for the payment in the version that each endpoint is pinned to', async () => {
    const fixture = new WebhookFixture();
    const [first, newest] = [
      await fixture.endpoint(['*'], fixture.context(), '2026-11-01'),
      await fixture.endpoint(['*'], fixture.context(), '2026-11-15'),
    ];
    const [source] = (await fixture.payment(PAYMENT_CREATED)) as [RecordedEvent];
    await fixture.schedule([source]);
    for (const { id } of [first, newest]) {
      await fixture.delivery.attempt('test', deliveryId(webhookEventId(source), id));
    }
    expect(fixture.versions).toEqual(['2026-11-01', '2026-11-15']);
    const told = fixture.sent.map(({ body }) => (JSON.parse(body) as { api_version: string }).api_version);
    expect(told).toEqual(['2026-11-01', '2026-11-15']);
  });

  it('sends the payment as it was at the event, whatever came since', async () => {
    const fixture = new WebhookFixture();
    const { deliveryId } = await fixture.scheduled();
    await fixture.payment({ type: 'PaymentCanceled', data: {} });
    await fixture.delivery.attempt('test', deliveryId);
    expect(JSON.parse(fixture.sent[0]?.body ?? '')).toMatchObject({ data: { status: 'created' } });
  });

  it('makes eight attempts at the documented times, each signed anew over the same bytes, and then stops', async () => {
    const fixture = new WebhookFixture();
    fixture.answer = () => broken;
    const { source, endpoint, deliveryId } = await fixture.scheduled();
    for (const minutes of MINUTES_BETWEEN) {
      const made = fixture.sent.length;
      if (minutes > 0) {
        fixture.clock.timeMs += minutes * MINUTE_MS - 1;
        await fixture.delivery.attempt('test', deliveryId);
        expect(fixture.sent).toHaveLength(made);
        fixture.clock.timeMs += 1;
      }
      await fixture.delivery.attempt('test', deliveryId);
      await fixture.delivery.attempt('test', deliveryId);
      expect(fixture.sent).toHaveLength(made + 1);
      expect(verified(fixture, endpoint.secret, made)).toMatchObject({ id: webhookEventId(source) });
    }
    fixture.clock.timeMs += 1_000 * HOUR_MS;
    await fixture.delivery.attempt('test', deliveryId);
    expect(fixture.sent).toHaveLength(8);
    expect(new Set(fixture.sent.map(({ body }) => body)).size).toBe(1);
    expect(new Set(fixture.sent.map(({ headers }) => headers['service-signature'])).size).toBe(8);
    const history = await fixture.history(source, endpoint.id);
    expect(history.map(({ metadata }) => metadata.occurred_at).at(-1)).toBe(isoTime(NOON + (44 * 60 + 36) * MINUTE_MS));
    expect((history.at(-1)?.data as { next_attempt_at: unknown }).next_attempt_at).toBeNull();
  });

  it('sends nothing for a delivery that comes up again after its attempt', async () => {
    const fixture = new WebhookFixture();
    fixture.answer = () => broken;
    const { deliveryId } = await fixture.scheduled();
    for (let count = 0; count < 3; count++) await fixture.delivery.attempt('test', deliveryId);
    expect(fixture.sent).toHaveLength(1);
  });

  it('sends again after a crash between sending and recording, and records once', async () => {
    const fixture = new WebhookFixture();
    const { source, endpoint, deliveryId } = await fixture.scheduled();
    const attempt = () => fixture.delivery.attempt('test', deliveryId);
    fixture.answer = () => Promise.reject(new Error('the process died'));
    await expect(attempt()).rejects.toThrow('the process died');
    fixture.answer = () => ok;
    await Promise.all([attempt(), attempt()]);
    expect(fixture.sent).toHaveLength(3);
    expect(await fixture.types(source, endpoint.id)).toEqual(['DeliveryScheduled', 'DeliverySucceeded']);
  });

  it('records what was answered, and sends nothing again, while the log takes no writes', async () => {
    const fixture = new WebhookFixture();
    const { source, endpoint, deliveryId } = await fixture.scheduled();
    fixture.answer = () => broken;
    const append = fixture.store.append.bind(fixture.store);
    fixture.store.append = () => Promise.reject(new StoreUnavailable('the disk is full'));
    for (let minute = 0; minute < 30; minute++) {
      await expect(fixture.delivery.attempt('test', deliveryId)).rejects.toThrow('the disk is full');
      fixture.clock.timeMs += MINUTE_MS;
    }
    expect(fixture.sent).toHaveLength(1);
    fixture.store.append = append;
    await fixture.delivery.attempt('test', deliveryId);
    expect(fixture.sent).toHaveLength(1);
    const [, recorded] = await fixture.history(source, endpoint.id);
    expect(recorded).toMatchObject({ type: 'DeliveryAttemptFailed', data: { attempt: 1, status_code: 500 } });
    expect(recorded?.metadata.occurred_at).toBe(isoTime(NOON));
    // The next attempt is one of its own.
    await fixture.delivery.attempt('test', deliveryId);
    expect(fixture.sent).toHaveLength(2);
  });

  it('signs with both secrets while they overlap', async () => {
    const fixture = new WebhookFixture();
    const { endpoint, deliveryId } = await fixture.scheduled();
    const context = fixture.context();
    const secret = await fixture.secrets.issue(context);
    await fixture.writes.execute(webhookEndpoints, endpoint.id, { type: 'roll_secret', secret }, context);
    fixture.answer = () => broken;
    await fixture.delivery.attempt('test', deliveryId);
    expect(verified(fixture, endpoint.secret)).toBeDefined();
    expect(verified(fixture, await fixture.secrets.open(secret))).toBeDefined();
    fixture.clock.timeMs += 24 * HOUR_MS;
    await fixture.delivery.attempt('test', deliveryId);
    expect(() => verified(fixture, endpoint.secret, 1)).toThrow(Stripe.errors.StripeSignatureVerificationError);
    expect(verified(fixture, await fixture.secrets.open(secret), 1)).toBeDefined();
  });

  it('sends nothing to a disabled endpoint and lets the attempt fail, so that the schedule goes on once it is enabled', async () => {
    const fixture = new WebhookFixture();
    const { source, endpoint, deliveryId } = await fixture.scheduled();
    await fixture.setStatus(endpoint.id, 'disabled');
    await fixture.delivery.attempt('test', deliveryId);
    expect(fixture.sent).toEqual([]);
    expect((await fixture.history(source, endpoint.id)).at(-1)).toMatchObject({
      type: 'DeliveryAttemptFailed',
      data: { attempt: 1, status_code: null, error: 'endpoint_disabled', next_attempt_at: isoTime(NOON + MINUTE_MS) },
    });
    await fixture.setStatus(endpoint.id, 'enabled');
    fixture.clock.timeMs += MINUTE_MS;
    await fixture.delivery.attempt('test', deliveryId);
    expect(await fixture.types(source, endpoint.id)).toEqual([
      'DeliveryScheduled',
      'DeliveryAttemptFailed',
      'DeliverySucceeded',
    ]);
  });

  it('leaves alone a delivery that was withheld or does not exist', async () => {
    const fixture = new WebhookFixture();
    const endpoint = await fixture.endpoint();
    await fixture.setStatus(endpoint.id, 'disabled');
    const [source] = (await fixture.payment(PAYMENT_CREATED)) as [RecordedEvent];
    await fixture.schedule([source]);
    await fixture.setStatus(endpoint.id, 'enabled');
    await fixture.delivery.attempt('test', `${webhookEventId(source)}:${endpoint.id}`);
    await fixture.delivery.attempt('test', `${webhookEventId(source)}:we_00000000000000000000000000`);
    expect(fixture.sent).toEqual([]);
  });

  it('makes an attempt by hand at any time, beside the schedule', async () => {
    const fixture = new WebhookFixture();
    fixture.answer = () => broken;
    const { source, endpoint, deliveryId } = await fixture.scheduled();
    await fixture.delivery.attempt('test', deliveryId);
    fixture.answer = () => ok;
    await fixture.request(source, endpoint.id);
    await fixture.delivery.attempt('test', deliveryId);
    fixture.clock.timeMs += MINUTE_MS;
    await fixture.delivery.attempt('test', deliveryId);
    await fixture.delivery.attempt('test', deliveryId);
    expect(await fixture.types(source, endpoint.id)).toEqual([
      'DeliveryScheduled',
      'DeliveryAttemptFailed',
      'RedeliveryRequested',
      'RedeliverySucceeded',
      'DeliverySucceeded',
    ]);
  });
});
