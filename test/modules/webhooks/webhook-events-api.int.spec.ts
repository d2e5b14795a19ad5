import type { RecordedEvent } from '../../../src/kernel/event';
import { webhookEventId } from '../../../src/modules/webhooks/webhook-event';
import { broken, NOON, ok, PAYMENT, PAYMENT_CREATED } from '../../processes/webhook-delivery/webhook-fixture';
import { remedyCall } from '../../support/remedy-call';
import { WebhooksApiApp } from './webhooks-api-app';

const PATH = '/v1/webhook_events';

let app: WebhooksApiApp;

beforeEach(async () => {
  app = await WebhooksApiApp.start();
});

afterEach(() => app.close());

/** Two events of one payment: `created`, which is delivered, and `canceled`, which failed once. */
async function twoEvents() {
  const { fixture } = app;
  const { endpoint, source, deliveryId } = await fixture.scheduled();
  await fixture.delivery.attempt('test', deliveryId);
  fixture.clock.timeMs += 1_000;
  const [canceled] = (await fixture.payment({ type: 'PaymentCanceled', data: {} })) as [RecordedEvent];
  await fixture.schedule([canceled]);
  fixture.answer = () => broken;
  await fixture.delivery.attempt('test', `${webhookEventId(canceled)}:${endpoint.id}`);
  return { endpoint, created: webhookEventId(source), canceled: webhookEventId(canceled) };
}

const idsOf = (body: Record<string, unknown>) => (body.data as { id: string }[]).map(({ id }) => id);

describe('/v1/webhook_events', () => {
  it('answers an event as it was delivered, and how its endpoints stand', async () => {
    const { endpoint, created } = await twoEvents();
    const { status, body } = await app.get(`${PATH}/${created}`);
    expect(status).toBe(200);
    expect(body).toEqual({
      id: created,
      object: 'webhook_event',
      type: 'payment.created',
      created: NOON / 1_000,
      api_version: '2026-11-01',
      data: { id: PAYMENT, object: 'payment_intent', status: 'created' },
      deliveries: [
        { endpoint: endpoint.id, status: 'delivered', attempts: 1, manual_attempts: 0, next_attempt_at: null },
      ],
    });
    expect(JSON.parse(app.fixture.sent[0]?.body ?? '')).toEqual({ ...body, object: undefined, deliveries: undefined });
  });

  it('lists newest first, by any set of filters', async () => {
    const { created, canceled } = await twoEvents();
    const list = async (query: string) => idsOf((await app.get(`${PATH}${query}`)).body);
    expect(await list('')).toEqual([canceled, created]);
    expect(await list('?delivered=false')).toEqual([canceled]);
    expect(await list('?delivered=true')).toEqual([created]);
    expect(await list('?type=payment.created')).toEqual([created]);
    expect(await list('?type=payment.created&delivered=false')).toEqual([]);
    expect(await list(`?payment_intent=${PAYMENT}&delivered=false&type=payment.canceled`)).toEqual([canceled]);
    expect(await list('?payment_intent=pi_1')).toEqual([]);
    expect(await list(`?starting_after=${canceled}`)).toEqual([created]);
    expect((await app.get(`${PATH}?limit=1`)).body).toMatchObject({ has_more: true, url: PATH });
    for (const query of ['delivered=1', 'type=payment.paid', 'status=x']) {
      expect((await app.get(`${PATH}?${query}`)).code).toBe('invalid_filter');
    }
  });

  it.each([
    ['delivered=1', 'The filter delivered takes one of true, false.'],
    ['type=payment.paid', expect.stringMatching(/^The filter type takes one of payment\.created, .*refund\.failed\.$/)],
  ])('tells what the filter %s takes', async (query, message) => {
    expect((await app.get(`${PATH}?${query}`)).body.error).toMatchObject({ code: 'invalid_filter', message });
  });

  it('lists from documents alone, and keeps a payment that an older log tells of at the first look', async () => {
    const { created, canceled } = await twoEvents();
    const { documents, store } = app.fixture;
    const reads = jest.spyOn(store, 'readStream');
    const first = await app.get(PATH);
    expect(idsOf(first.body)).toEqual([canceled, created]);
    expect(reads).not.toHaveBeenCalled();
    const kept = await documents.open({ name: 'webhook_payments', indexes: {} });
    await kept.deleteUpTo(created, 1);
    await kept.put({ id: canceled, version: 1, body: { shape: 'a former one', resource: {} } });
    expect((await app.get(PATH)).body).toEqual(first.body);
    expect(reads).toHaveBeenCalledTimes(1);
    expect((await app.get(PATH)).body).toEqual(first.body);
    expect(reads).toHaveBeenCalledTimes(1);
  });

  it('lists every event of the account, so that an endpoint of later can be filled', async () => {
    const { fixture } = app;
    const events = await fixture.payment(PAYMENT_CREATED, { type: 'PaymentCanceled', data: {} });
    await fixture.schedule(events);
    const listed = async (query: string) => idsOf((await app.get(`${PATH}?${query}`)).body).toSorted();
    const [created, canceled] = events.map(webhookEventId) as [string, string];
    const all = [created, canceled].toSorted();
    const reads = jest.spyOn(fixture.store, 'readStream');
    expect(await listed('')).toEqual(all);
    expect(reads).toHaveBeenCalledTimes(1);
    expect(await listed('')).toEqual(all);
    expect(reads).toHaveBeenCalledTimes(1);
    expect([await listed('delivered=false'), await listed('delivered=true')]).toEqual([all, []]);
    expect(await listed('type=payment.canceled')).toEqual([canceled]);
    expect((await app.get(`${PATH}/${created}`)).body).toMatchObject({ data: { status: 'created' }, deliveries: [] });
    const late = await fixture.endpoint();
    await app.post(`${PATH}/${created}/redeliver`, { endpoint: late.id });
    expect(fixture.sent.map(({ url }) => url)).toEqual([late.url]);
    await fixture.endpoint();
    expect([await listed('delivered=false'), await listed('delivered=true')]).toEqual([[canceled], [created]]);
  });

  it('shows nothing to another merchant or the other mode', async () => {
    const { endpoint, created } = await twoEvents();
    for (const key of ['other', 'live'] as const) {
      expect((await app.get(`${PATH}/${created}`, key)).code).toBe('resource_missing');
      expect((await app.get(PATH, key)).body.data).toEqual([]);
      const answer = await app.post(`${PATH}/${created}/redeliver`, { endpoint: endpoint.id }, key);
      expect([answer.status, answer.code]).toEqual([404, 'unknown_endpoint']);
    }
    expect((await app.get(`${PATH}/nonsense`)).code).toBe('resource_missing');
  });
});

describe('POST /v1/webhook_events/:id/redeliver', () => {
  const redeliver = (event: string, endpoint: string, key: 'own' | 'reader' = 'own') =>
    app.post(`${PATH}/${event}/redeliver`, { endpoint }, key, '');

  it('makes an attempt now and leaves the schedule as it is', async () => {
    const { endpoint, canceled } = await twoEvents();
    const before = app.fixture.sent.length;
    app.fixture.answer = () => ok;
    app.fixture.clock.timeMs += 1;
    const { status, body } = await redeliver(canceled, endpoint.id);
    expect(status).toBe(200);
    expect(app.fixture.sent).toHaveLength(before + 1);
    expect(body.deliveries).toEqual([
      {
        endpoint: endpoint.id,
        status: 'delivered',
        attempts: 1,
        manual_attempts: 1,
        next_attempt_at: '2026-11-01T12:01:01.000Z',
      },
    ]);
    expect((await app.get(`/v1/webhook_endpoints/${endpoint.id}/deliveries?limit=1`)).body.data).toMatchObject([
      { attempt: 1, trigger: 'manual', status_code: 200 },
    ]);
  });

  it('brings an event to an endpoint that was made after it', async () => {
    const { created } = await twoEvents();
    const late = await app.fixture.endpoint();
    app.fixture.answer = () => ok;
    const { body } = await redeliver(created, late.id);
    expect(body.deliveries).toHaveLength(2);
    expect((body.deliveries as unknown[])[1]).toMatchObject({ endpoint: late.id, status: 'delivered' });
    expect(app.fixture.sent.at(-1)?.url).toBe(late.url);
  });

  it('is refused for what does not exist, is disabled or is spent', async () => {
    const { endpoint, created, canceled } = await twoEvents();
    expect((await redeliver(canceled, endpoint.id, 'reader')).code).toBe('insufficient_scope');
    expect((await redeliver(canceled, 'we_1')).param).toBe('endpoint');
    expect((await redeliver('evt_00000000000000000000000000', endpoint.id)).code).toBe('resource_missing');
    for (let attempt = 2; attempt <= 8; attempt++) {
      app.fixture.clock.timeMs += 24 * 3_600_000;
      await app.fixture.delivery.attempt('test', `${canceled}:${endpoint.id}`);
    }
    const spent = await redeliver(canceled, endpoint.id);
    expect([spent.status, spent.code]).toEqual([409, 'attempt_exhausted']);
    const [method, path] = remedyCall('attempt_exhausted', canceled).split(' ');
    expect(method).toBe('GET');
    expect(await app.get(String(path))).toMatchObject({ status: 200, body: { id: canceled, data: { id: PAYMENT } } });
    await app.fixture.setStatus(endpoint.id, 'disabled');
    expect((await redeliver(created, endpoint.id)).code).toBe('invalid_state_transition');
    expect((await app.get(`${PATH}/${canceled}`)).body.deliveries).toMatchObject([
      { status: 'exhausted', attempts: 8, manual_attempts: 0 },
    ]);
  });

  it('is for those that were withheld while the endpoint was disabled', async () => {
    const { fixture } = app;
    const endpoint = await fixture.endpoint();
    await fixture.setStatus(endpoint.id, 'disabled');
    const [source] = (await fixture.payment(PAYMENT_CREATED)) as [RecordedEvent];
    await fixture.schedule([source]);
    expect(idsOf((await app.get(`${PATH}?delivered=false`)).body)).toEqual([webhookEventId(source)]);
    const row = { endpoint: endpoint.id, status: 'withheld', attempts: 0, manual_attempts: 0, next_attempt_at: null };
    expect((await app.get(`${PATH}/${webhookEventId(source)}`)).body.deliveries).toEqual([row]);
    await fixture.setStatus(endpoint.id, 'enabled');
    const { body } = await redeliver(webhookEventId(source), endpoint.id);
    expect(body.deliveries).toEqual([{ ...row, status: 'delivered', manual_attempts: 1 }]);
    expect(idsOf((await app.get(`${PATH}?delivered=false`)).body)).toEqual([]);
  });
});
