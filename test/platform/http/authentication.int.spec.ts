import { NEVER_ADVANCED } from '../../../src/vocabulary/clock-standing';
import { ask, sendRaw } from './exchange';
import { KEYS, NOW, startTestApp, type TestApp } from './http-test-app';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.app.close());

const ORDER = { amount: 5, currency: 'EUR' };

it.each([
  [undefined, 'authentication_required'],
  ['Basic c2tfdGVzdF9mdWxsOg==', 'invalid_authorization_header'],
  ['Bearer', 'invalid_authorization_header'],
  ['Bearer  sk_test_full', 'invalid_authorization_header'],
  ['bearer sk_test_full', 'invalid_authorization_header'],
  ['Bearer "sk_test_full"', 'invalid_authorization_header'],
  ['Bearer sk_test_full extra', 'invalid_authorization_header'],
  ['Bearer\tsk_test_full', 'invalid_authorization_header'],
  ['sk_test_full', 'invalid_authorization_header'],
  [`Bearer ${'a'.repeat(201)}`, 'invalid_authorization_header'],
  ['Bearer sk_test_unknown', 'invalid_api_key'],
  [`Bearer ${KEYS.revoked}`, 'api_key_revoked'],
  [`Bearer ${KEYS.live}`, 'invalid_api_key'],
])('Authorization: %s is %s', async (authorization, code) => {
  const answer = await ask(app, 'GET /v1/orders', { key: null, headers: authorization ? { authorization } : {} });
  expect([answer.status, answer.body.error.code]).toEqual([401, code]);
});

it('refuses two authorization headers', async () => {
  const header = 'Authorization: Bearer sk_test_full\r\n';
  const { body } = await sendRaw(
    app,
    `GET /v1/orders HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${header}${header}\r\n`,
  );
  expect(body).toMatchObject({ error: { code: 'invalid_authorization_header' } });
});

it.each([
  'key=sk_test_full',
  'status=sk_live_9',
  'status=x%73%6B_test_1&a=pk_test_1',
  'rk_test_abc=1',
  'q=Bearer%20sk_test_a',
  'q=%2573k_test_a',
  'q=%252573%25256b_live_a',
  '%2572k_test_a=1',
])('refuses a key in the query, ?%s, even beside a good header', async query => {
  expect((await ask(app, `GET /v1/orders?${query}`)).body.error.code).toBe('invalid_authorization_header');
});

it.each([
  [KEYS.publishable, 'GET /v1/orders', 'publishable_key_not_permitted'],
  [KEYS.publishable, 'POST /v1/orders', 'publishable_scope_forbidden'],
  [KEYS.publishable, 'PUT /v1/orders', 'publishable_scope_forbidden'],
  [KEYS.publishable, 'GET /v1/any_key', 'publishable_key_not_permitted'],
  [KEYS.reader, 'POST /v1/orders', 'insufficient_scope'],
  [KEYS.creator, 'PUT /v1/orders', 'insufficient_scope'],
])('%s may not %s: %s', async (key, line, code) => {
  const answer = await ask(app, line, { key, ...(line.startsWith('GET') ? {} : { body: ORDER }) });
  expect([answer.status, answer.body.error.code]).toEqual([403, code]);
});

it.each([
  [KEYS.reader, 'GET /v1/orders'],
  [KEYS.creator, 'GET /v1/orders'],
  [KEYS.creator, 'POST /v1/orders'],
  [KEYS.reader, 'GET /v1/any_key'],
])('%s may %s', async (key, line) => {
  const answer = await ask(app, line, { key, ...(line.startsWith('GET') ? {} : { body: ORDER }) });
  expect(answer.status).toBe(200);
});

it('puts the caller on the request', async () => {
  const answer = await ask(app, 'POST /v1/orders/ord_1/cancel', { key: KEYS.creator });
  expect(answer.body).toEqual({
    merchantId: 'mch_1',
    mode: 'test',
    keyId: 'key_creator',
    keyEndsAt: null,
    withheld: [],
    isFirstTry: true,
    clock: NEVER_ADVANCED,
    settings: {
      payment_tolerance_bps: 0,
      enabled_tokens: ['usdt-tron', 'usdt-bnb', 'usdc-base'],
      brand: { name: null, color: null, logo_url: null },
      default_success_url: null,
      api_version: '2026-11-15',
      checkout_restart: false,
      invoice_prefix: 'INV-',
      reminders: [],
      time_zone: 'UTC',
      customer_language: 'en',
    },
    limits: { ceilingUsdMinorUnits: '100000000', velocity: null },
    methodTerms: null,
    isPaused: false,
    apiVersion: '2026-11-15',
    scopes: ['payment:create'],
    requestId: answer.headers.get('request-id'),
    ip: '127.0.0.1',
    commandId: '07070707-0707-4707-8707-070707070707',
    startedAt: NOW,
    receivedAt: NOW,
    now: NOW,
  });
});

it('fails closed on an API route that declares no scope', async () => {
  expect((await ask(app, 'GET /v1/forgotten')).body.error.code).toBe('internal_error');
});

it('lets public routes pass without a key', async () => {
  expect((await ask(app, 'GET /healthz', { key: null })).status).toBe(200);
});

describe('high-risk actions', () => {
  const replace = (headers: Record<string, string>, body: unknown = ORDER) =>
    ask(app, 'PUT /v1/orders', { headers, body });

  it('hands the proof to the verification, with what it is bound to', async () => {
    app.mfa.attempts.length = 0;
    expect((await replace({ 'mfa-code': '123456', 'mfa-user': 'usr_1' })).status).toBe(200);
    const commandId = '07070707-0707-4707-8707-070707070707';
    const own = { merchantId: 'mch_1', mode: 'test', keyId: 'key_full', commandId };
    expect(app.mfa.attempts).toEqual([{ ...own, action: 'order.replace', code: '123456', proof: null, user: 'usr_1' }]);
  });

  it('answers the refusal of the verification', async () => {
    expect((await replace({})).body.error.code).toBe('mfa_required');
  });

  it('consumes no code for a body that fails validation, nor on other routes', async () => {
    app.mfa.attempts.length = 0;
    expect((await replace({ 'mfa-code': '123456' }, { amount: 5 })).body.error.code).toBe('parameter_missing');
    expect((await ask(app, 'POST /v1/orders', { headers: { 'mfa-code': '123456' }, body: ORDER })).status).toBe(200);
    expect(app.mfa.attempts).toEqual([]);
  });
});
