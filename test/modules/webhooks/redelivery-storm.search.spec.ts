import { setTimeout as pause } from 'node:timers/promises';
import { webhookEventId } from '../../../src/modules/webhooks/webhook-event';
import { searchSize } from '../../levels/search-size';
import { ok, PAYMENT_CREATED } from '../../processes/webhook-delivery/webhook-fixture';
import { confirmation, detected, selected } from '../payment-intents/histories';
import { WebhooksApiApp } from './webhooks-api-app';

const ENDPOINT_LIMIT = 4;
const MOST_REDELIVERIES = 100;
const CALLS = searchSize('REDELIVERIES', { small: MOST_REDELIVERIES + 10, full: 500 });
const ANSWER_MS = 20;
const LIMIT_MS = 60_000;

let app: WebhooksApiApp;

beforeEach(async () => {
  app = await WebhooksApiApp.start();
});
afterEach(() => app.close());

it(
  `${CALLS} redeliveries at once open no more connections than the endpoint is given, and make no more than the bound`,
  async () => {
    const { fixture } = app;
    const { endpoint, source, deliveryId } = await fixture.scheduled();
    await fixture.delivery.attempt('test', deliveryId);
    let [open, mostOpen] = [0, 0];
    fixture.answer = async () => {
      mostOpen = Math.max(mostOpen, (open += 1));
      await pause(ANSWER_MS);
      open -= 1;
      return ok;
    };
    const sentBefore = fixture.sent.length;
    const event = deliveryId.split(':')[0];
    const calls = Array.from({ length: CALLS }, () =>
      app.post(`/v1/webhook_events/${event}/redeliver`, { endpoint: endpoint.id }, 'own', ''),
    );
    const answers = await Promise.all(calls);
    const counts = new Map<string, number>();
    for (const { status, code } of answers) {
      const answer = `${status} ${String(code)}`;
      counts.set(answer, (counts.get(answer) ?? 0) + 1);
    }
    expect({ isWithinLimit: mostOpen <= ENDPOINT_LIMIT, answers: Object.fromEntries(counts) }).toStrictEqual({
      isWithinLimit: true,
      answers: { '200 null': MOST_REDELIVERIES, '409 attempt_exhausted': CALLS - MOST_REDELIVERIES },
    });
    while (fixture.sent.length - sentBefore < MOST_REDELIVERIES || open > 0) await pause(ANSWER_MS);
    await pause(2 * ANSWER_MS);
    expect(fixture.sent.length - sentBefore).toBe(MOST_REDELIVERIES);
    const types = await fixture.types(source, endpoint.id);
    expect(types.filter(type => type === 'RedeliverySucceeded')).toHaveLength(MOST_REDELIVERIES);
  },
  LIMIT_MS,
);

it(
  'redeliveries of many events to one endpoint share its connections',
  async () => {
    const { fixture } = app;
    await fixture.endpoint();
    const history = await fixture.payment(PAYMENT_CREATED, selected, detected('tr_1', '27000120'), confirmation);
    await fixture.schedule(history);
    const events = history.filter(({ type }) => type !== 'MethodSelected').map(webhookEventId);
    const late = await fixture.endpoint();
    let [open, mostOpen] = [0, 0];
    fixture.answer = async () => {
      mostOpen = Math.max(mostOpen, (open += 1));
      await pause(ANSWER_MS);
      open -= 1;
      return ok;
    };
    const calls = Array.from({ length: 40 }, (_, index) => {
      const path = `/v1/webhook_events/${events[index % events.length]}/redeliver`;
      return app.post(path, { endpoint: late.id }, 'own', '');
    });
    const answers = await Promise.all(calls);
    expect(new Set(answers.map(({ status }) => status))).toStrictEqual(new Set([200]));
    expect(mostOpen).toBeLessThanOrEqual(ENDPOINT_LIMIT);
    expect(mostOpen).toBeGreaterThan(1);
  },
  LIMIT_MS,
);
