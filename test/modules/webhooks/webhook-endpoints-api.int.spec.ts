import { HOUR_MS, isoTime } from '../../../src/kernel/clock';
import { webhookEndpoints } from '../../../src/modules/webhooks/webhook-endpoint.decider';
import { broken, NOON } from '../../processes/webhook-delivery/webhook-fixture';
import { WebhooksApiApp, type Answer } from './webhooks-api-app';

const PATH = '/v1/webhook_endpoints';
const BODY = { url: 'https://hooks.merchant.example/', enabled_events: ['payment.confirmed'] };
const UNKNOWN = `${PATH}/we_00000000000000000000000000`;

let app: WebhooksApiApp;

beforeEach(async () => {
  app = await WebhooksApiApp.start();
});

afterEach(() => app.close());

async function create(body: object = BODY): Promise<{ id: string; secret: string }> {
  const { status, body: endpoint } = await app.post(PATH, body);
  expect(status).toBe(200);
  return endpoint as { id: string; secret: string };
}

/** The answer without the parts that name its one request. */
function withoutRequest({ status, body }: Answer): object {
  const own = Object.entries(body.error as object).filter(([field]) => !field.startsWith('request_'));
  return { status, error: Object.fromEntries(own) };
}

describe('POST /v1/webhook_endpoints', () => {
  it('answers the endpoint with its secret, and shows the secret never again', async () => {
    const { body } = await app.post(PATH, { ...BODY, description: 'shop' });
    const { id, secret, secrets, ...endpoint } = body;
    expect(id).toMatch(/^we_[0-9a-hjkmnp-tv-z]{26}$/);
    expect(secret).toMatch(/^whsec_[\w-]{43}$/);
    expect(secrets).toEqual([
      { id: expect.stringMatching(/^ws_/) as string, created: isoTime(NOON), expires_at: null },
    ]);
    expect(endpoint).toEqual({
      object: 'webhook_endpoint',
      mode: 'test',
      url: BODY.url,
      description: 'shop',
      enabled_events: ['payment.confirmed'],
      status: 'enabled',
      disabled_reason: null,
      api_version: '2026-11-01',
      created: isoTime(NOON),
    });
    const again = await app.get(`${PATH}/${String(id)}`);
    expect(again.body).toEqual({ id, secrets, ...endpoint });
    expect((await app.get(PATH)).body).toEqual({ object: 'list', url: PATH, has_more: false, data: [again.body] });
    const { history } = await app.fixture.writes.load(webhookEndpoints, 'test', String(id));
    expect(history.map(({ type }) => type)).toEqual(['WebhookEndpointCreated']);
    expect(app.mfaActions).toEqual(['webhook_endpoint.create']);
  });

  it.each([
    [{ enabled_events: ['*'] }, 'parameter_missing', 'url'],
    [{ url: BODY.url }, 'parameter_missing', 'enabled_events'],
    [{ ...BODY, url: 7 }, 'invalid_webhook_url', 'url'],
    [{ ...BODY, url: 'https://127.0.0.1/' }, 'invalid_webhook_url', 'url'],
    [{ ...BODY, enabled_events: '*' }, 'parameter_invalid', 'enabled_events'],
    [{ ...BODY, enabled_events: [] }, 'parameter_invalid', 'enabled_events'],
    [{ ...BODY, enabled_events: ['payment.confirmed', 'no'] }, 'parameter_invalid', 'enabled_events[1]'],
    [{ ...BODY, description: 7 }, 'parameter_invalid', 'description'],
    [{ ...BODY, secret: 'mine' }, 'parameter_invalid', 'secret'],
  ])('refuses %j with %s', async (body, code, param) => {
    const answer = await app.post(PATH, body);
    expect([answer.status, answer.code, answer.param]).toEqual([400, code, param]);
    expect((await app.get(PATH)).body.data).toEqual([]);
  });

  it.each([
    [['payment.confirmed', 'payment.paid'], 'There is no such type of event.'],
    [['payment.confirmed', '*'], 'No other entry stands beside *.'],
    [[], 'At least one type is needed.'],
  ])('tells which types are allowed in place of %j', async (types, fault) => {
    const { body } = await app.post(PATH, { ...BODY, enabled_events: types });
    expect((body.error as { message: string }).message).toBe(
      `${fault} Allowed are * alone, or any of payment.created, payment.detected, payment.confirming, ` +
        'payment.confirmed, payment.underpaid, payment.overpaid, payment.paid_late, payment.expired, ' +
        'payment.canceled, payment.failed, refund.created, refund.succeeded, refund.failed.',
    );
  });

  it('takes http in test mode and refuses it in live mode', async () => {
    const body = { ...BODY, url: 'http://hooks.merchant.example/' };
    expect((await app.post(PATH, body)).status).toBe(200);
    expect((await app.post(PATH, body, 'live')).code).toBe('insecure_webhook_url');
  });

  it('needs a one-time code and the scope', async () => {
    expect((await app.post(PATH, BODY, 'own', '')).code).toBe('mfa_required');
    expect((await app.post(PATH, BODY, 'reader')).code).toBe('insufficient_scope');
  });

  it('holds to sixteen endpoints in a mode', async () => {
    for (let count = 0; count < 16; count++) await create();
    expect((await app.post(PATH, BODY)).code).toBe('invalid_request');
    expect((await app.post(PATH, BODY, 'live')).status).toBe(200);
  });
});

describe('an endpoint of the API', () => {
  it('does not exist for another merchant, the other mode, or by a wrong id', async () => {
    const { id } = await create();
    for (const path of [`${PATH}/${id}`, `${PATH}/${id}/deliveries`]) {
      for (const key of ['other', 'live'] as const) {
        expect(withoutRequest(await app.get(path, key))).toEqual(withoutRequest(await app.get(UNKNOWN, key)));
      }
    }
    for (const path of [UNKNOWN, `${PATH}/nonsense`]) expect((await app.get(path)).code).toBe('unknown_endpoint');
    for (const [path, body] of [
      [`${PATH}/${id}`, { status: 'disabled' }],
      [`${PATH}/${id}/roll_secret`, null],
    ] as const) {
      expect((await app.post(path, body, 'other')).code).toBe('unknown_endpoint');
      expect((await app.post(path, body, 'live')).code).toBe('unknown_endpoint');
    }
  });

  it('is changed in what the body names', async () => {
    const { id } = await create();
    const { status, body } = await app.post(`${PATH}/${id}`, { enabled_events: ['*'], status: 'disabled' });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      url: BODY.url,
      enabled_events: ['*'],
      status: 'disabled',
      disabled_reason: 'disabled_by_merchant',
    });
    expect(body).not.toHaveProperty('secret');
    const enabled = await app.post(`${PATH}/${id}`, { status: 'enabled', description: 'shop' });
    expect(enabled.body).toMatchObject({ status: 'enabled', disabled_reason: null, description: 'shop' });
    expect((await app.post(`${PATH}/${id}`, { description: null })).body.description).toBeNull();
    expect(app.mfaActions.slice(1)).toEqual(new Array(3).fill('webhook_endpoint.change'));
  });

  it('moves only by a key with the high-privilege scope', async () => {
    const { id } = await create();
    const moved = { url: 'https://new.merchant.example/' };
    expect((await app.post(`${PATH}/${id}`, moved, 'manager')).code).toBe('insufficient_scope');
    expect((await app.post(`${PATH}/${id}`, { description: 'x' }, 'manager')).status).toBe(200);
    expect((await app.post(`${PATH}/${id}`, moved)).body.url).toBe(moved.url);
    expect((await app.post(`${PATH}/${id}`, { url: null })).code).toBe('invalid_webhook_url');
    expect((await app.post(`${PATH}/${id}`, { status: 'gone' })).code).toBe('parameter_invalid');
  });

  it('rolls its secret, with both listed for 24 hours', async () => {
    const { id, secret } = await create();
    app.fixture.clock.timeMs += HOUR_MS;
    const { body } = await app.post(`${PATH}/${id}/roll_secret`);
    expect(body.secret).toMatch(/^whsec_/);
    expect(body.secret).not.toBe(secret);
    expect((body.secrets as { expires_at: unknown }[]).map(({ expires_at }) => expires_at)).toEqual([
      null,
      isoTime(NOON + 25 * HOUR_MS),
    ]);
    app.fixture.clock.timeMs = NOON + 25 * HOUR_MS;
    expect((await app.get(`${PATH}/${id}`)).body.secrets).toHaveLength(1);
  });
});

describe('GET /v1/webhook_endpoints/:id/deliveries', () => {
  it('lists attempts, newest first, page by page, and by event', async () => {
    const { fixture } = app;
    fixture.answer = () => broken;
    const { endpoint, deliveryId } = await fixture.scheduled();
    const path = `${PATH}/${endpoint.id}/deliveries`;
    await fixture.delivery.attempt('test', deliveryId);
    fixture.clock.timeMs += 60_000;
    await fixture.delivery.attempt('test', deliveryId);
    const first = await app.get(`${path}?limit=1`);
    const [attempt] = first.body.data as [{ id: string; event: string }];
    expect(first.body).toMatchObject({ object: 'list', url: path, has_more: true });
    expect(attempt).toEqual({
      id: expect.stringMatching(/^da_/) as string,
      object: 'delivery_attempt',
      event: deliveryId.split(':')[0],
      endpoint: endpoint.id,
      attempt: 2,
      trigger: 'schedule',
      status_code: 500,
      error: null,
      latency_ms: 5,
      response_excerpt: '',
      created: isoTime(NOON + 60_000),
    });
    const second = await app.get(`${path}?limit=1&starting_after=${attempt.id}`);
    expect(second.body).toMatchObject({ has_more: false, data: [{ attempt: 1 }] });
    expect((await app.get(`${path}?event=${attempt.event}`)).body.data).toHaveLength(2);
    expect((await app.get(`${path}?event=evt_1`)).body.data).toEqual([]);
    const other = await fixture.endpoint();
    const strange = await app.get(`${PATH}/${other.id}/deliveries?starting_after=${attempt.id}`);
    expect(strange.code).toBe('invalid_cursor');
    expect((await app.get(`${path}?status=500`)).code).toBe('invalid_filter');
  });
});
