import { connect } from 'node:net';
import { NEWEST_API_VERSION } from '../../../src/vocabulary/api-versions';
import { Degraded } from '../../../src/kernel/ports/readiness';
import { ask, sendRaw } from './exchange';
import { KEYS, startTestApp, type TestApp } from './http-test-app';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.app.close());

it('answers a refusal with the whole envelope', async () => {
  const answer = await ask(app, 'GET /fault/refusal');
  const requestId = answer.headers.get('request-id');
  expect(requestId).toMatch(/^req_[0-9a-hjkmnp-tv-z]{26}$/);
  expect(answer.status).toBe(402);
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(answer.body).toStrictEqual({
    error: {
      type: 'payment_error',
      code: 'wallet_not_verified',
      message: expect.any(String),
      param: 'wallet_id',
      doc_url: 'https://docs.example/errors/wallet_not_verified',
      request_log_url: `https://dash.example/requests/${requestId}`,
    },
  });
});

it.each([
  ['bug', 500, 'internal_error'],
  ['provider', 502, 'provider_response_invalid'],
  ['store', 503, 'provider_unavailable'],
  ['outcome', 500, 'internal_error'],
])('answers the fault %s with %i %s and nothing of the inside', async (kind, status, code) => {
  const answer = await ask(app, `GET /fault/${kind}`);
  expect([answer.status, answer.body.error.code, answer.body.error.type]).toEqual([status, code, 'api_error']);
  expect(JSON.stringify(answer.body)).not.toMatch(/hunter2|inner\.example|refused|no answer|Error/);
  expect('param' in answer.body.error).toBe(false);
});

it('logs a bug with its stack', async () => {
  await ask(app, 'GET /fault/bug');
  expect(app.log()).toContain('the password of the database is hunter2');
  expect(app.log()).toContain('http-test-app.ts');
});

it.each(['GET /healthz', 'GET /nope', 'GET /v1/orders/%', 'POST /v1/orders', 'GET /fault/bug', 'GET /openapi.json'])(
  'puts the fixed headers on the answer to %s',
  async line => {
    const { headers } = await ask(app, line);
    expect(headers.get('request-id')).toMatch(/^req_\w{26}$/);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  },
);

it('gives every request its own id, whatever the client sends', async () => {
  const ids = await Promise.all(
    Array.from({ length: 20 }, async () =>
      (await ask(app, 'GET /healthz', { headers: { 'request-id': 'req_mine' } })).headers.get('request-id'),
    ),
  );
  expect(new Set(ids).size).toBe(20);
  expect(ids).not.toContain('req_mine');
});

it('answers POST with 200', async () => {
  expect((await ask(app, 'POST /v1/orders', { body: { amount: 1, currency: 'EUR' } })).status).toBe(200);
});

it('writes one line a request, with the route instead of the path', async () => {
  const { headers } = await ask(app, 'GET /v1/orders/ord_private');
  const lines = app
    .log()
    .split('\n')
    .filter(line => line.includes(headers.get('request-id') as string));
  expect(lines.map(line => JSON.parse(line))).toEqual([
    expect.objectContaining({
      method: 'GET',
      route: '/v1/orders/:id',
      status: 200,
      code: null,
      ms: expect.any(Number),
    }),
  ]);
  expect(app.log()).not.toContain('ord_private');
});

describe('an object that is not found', () => {
  let both: TestApp;
  beforeAll(async () => {
    both = await startTestApp(['test', 'live']);
  });
  afterAll(() => both.app.close());

  it.each([
    ['test', KEYS.full, 'payment_not_found', 'There is no such payment for this key.'],
    ['live', KEYS.live, 'payment_not_found', 'There is no such payment for this key.'],
    ['live', KEYS.live, 'resource_missing', 'There is no such object for this key.'],
    ['test', KEYS.full, 'wallet_not_found', 'There is no such wallet for this key.'],
    ['live', KEYS.live, 'unknown_endpoint', 'There is no such webhook endpoint for this key.'],
  ])('says that the key is for %s mode', async (mode, key, code, title) => {
    const { body } = await ask(both, `GET /v1/missing/${code}`, { key });
    const advice = `The key is for ${mode} mode: check the id, and that it was made by a ${mode} key.`;
    expect(body.error).toMatchObject({ code, message: `${title} ${advice}` });
  });

  it('keeps the words of a refusal that has some, and those of other codes', async () => {
    const own = await ask(both, 'GET /v1/missing/payment_not_found?message=Own');
    expect(own.body.error.message).toBe('Own');
    const other = await ask(both, 'GET /v1/missing/merchant_not_found');
    expect(other.body.error.message).toBe('There is no such merchant.');
  });
});

it.each([
  ['GET /v1/orders', KEYS.reader, 200, { merchant_id: 'mch_1', key_id: 'key_reader' }],
  ['POST /v1/orders/ord_1/cancel', KEYS.reader, 403, { merchant_id: 'mch_1', key_id: 'key_reader' }],
  ['GET /v1/orders', 'sk_test_unknown', 401, { merchant_id: null, key_id: null }],
  ['GET /nowhere', KEYS.reader, 404, { merchant_id: null, key_id: null }],
])('writes whose request it was, %s by %s', async (line, key, status, who) => {
  const { headers } = await ask(app, line, { key });
  const requestId = headers.get('request-id');
  const lines = app
    .log()
    .trimEnd()
    .split('\n')
    .map(text => JSON.parse(text) as Readonly<Record<string, unknown>>);
  const own = lines.filter(each => each.msg === 'request answered' && each.request_id === requestId);
  expect(own).toEqual([expect.objectContaining({ status, ...who })]);
});

it('writes no secret into the log, wherever a client puts it', async () => {
  const canary = 'sk_test_CanaryCanaryCanary';
  const body = { amount: canary, currency: `whsec_${canary}`, metadata: { secret: canary } };
  await ask(app, 'POST /v1/orders', { key: canary, headers: { 'mfa-code': '987123', 'mfa-proof': canary }, body });
  await ask(app, 'PUT /v1/orders', { headers: { 'mfa-code': '987123', cookie: canary }, body });
  await ask(app, `GET /v1/orders?key=${canary}`);
  await ask(app, `GET /v1/orders/${canary}`);
  await ask(app, `GET /${canary}`);
  await sendRaw(app, `GET /${canary} x HTTP/1.1\r\nAuthorization: Bearer ${canary}\r\n\r\n`);
  expect(app.log()).not.toMatch(/Canary|987123/);
  expect(app.log()).not.toContain(KEYS.full);
});

it('outlives a client that leaves in the middle of its upload', async () => {
  const head = 'POST /v1/orders HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer sk_test_full\r\n';
  const socket = connect(app.port, '127.0.0.1');
  socket.write(`${head}Content-Type: application/json\r\nContent-Length: 50\r\n\r\n{"a`, () =>
    socket.resetAndDestroy(),
  );
  while (!app.log().includes('"code":"request_aborted"')) await new Promise(setImmediate);
  expect((await ask(app, 'GET /healthz')).status).toBe(200);
});

it('answers HEAD as GET, without a body', async () => {
  const answer = await ask(app, 'HEAD /v1/orders');
  expect([answer.status, answer.body]).toEqual([200, null]);
});

describe('readiness', () => {
  afterEach(() => app.checks.splice(0));

  it('is ready when every check passes', async () => {
    app.checks.push({ name: 'event_store', check: () => Promise.resolve() });
    const answer = await ask(app, 'GET /readyz', { key: null });
    expect([answer.status, answer.body]).toEqual([200, { status: 'ok', checks: { event_store: 'ok' }, alarms: [] }]);
  });

  it('still is while something only needs to be looked at, and says which network and why', async () => {
    const alarm = { mode: 'live', network: 'bnb', alarm: 'behind' } as const;
    app.checks.push({ name: 'coverage', check: () => Promise.reject(new Degraded('live bnb: behind', [alarm])) });
    const answer = await ask(app, 'GET /readyz', { key: null });
    expect([answer.status, answer.body]).toEqual([
      200,
      { status: 'ok', checks: { coverage: 'degraded' }, alarms: [alarm] },
    ]);
    expect(app.log()).toContain('live bnb: behind');
  });

  it('names what is away, and says why only in the log', async () => {
    app.checks.push(
      { name: 'event_store', check: () => Promise.resolve() },
      { name: 'documents', check: () => Promise.reject(new Error('mongodb://admin:hunter3@db refused')) },
    );
    const answer = await ask(app, 'GET /readyz', { key: null });
    expect(answer.status).toBe(503);
    const checks = { event_store: 'ok', documents: 'unavailable' };
    expect(answer.body).toEqual({ status: 'unavailable', checks, alarms: [] });
    expect(app.log()).toContain('[redacted]@db refused');
    expect(app.log()).not.toContain('hunter3');
  });
});

it('serves its contract', async () => {
  const { body } = await ask(app, 'GET /openapi.json', { key: null });
  expect(body.info.version).toBe(NEWEST_API_VERSION);
  expect(body.security).toEqual([{ bearer: [] }]);
  expect(body.components.securitySchemes.bearer).toMatchObject({ type: 'http', scheme: 'bearer' });
  expect(Object.keys(body.paths['/v1/orders'].post.responses)).toEqual(['200', 'default']);
  expect(body.paths['/healthz'].get.security).toEqual([]);
  expect(body.components.schemas.Error.properties.error.properties.code.enum).toContain('wallet_not_verified');
});
