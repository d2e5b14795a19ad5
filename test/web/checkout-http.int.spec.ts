import { ApiStage, type ApiInstance } from '../support/api-stage';
import { RateLimits } from '../../src/platform/rate-limits/rate-limits';
import type { StagedMerchant } from '../support/staged-merchant';
import { CustomerBrowser, titleOf } from './customer-browser';

const LIMIT_MS = 60_000;
const UNKNOWN = 'pi_01kb3x5q0g7h2m9c4r8v6t1zny';
const HASH = `0x${'5c'.repeat(32)}`;

let stage: ApiStage;
let instance: ApiInstance;
let merchant: StagedMerchant;
let customer: CustomerBrowser;

beforeAll(async () => {
  stage = await ApiStage.open();
  instance = await stage.startInstance();
  merchant = await stage.register(instance);
  const { id } = await merchant.registerWallet();
  await merchant.verifyWallet(id);
  await merchant.routeTo(id);
  customer = new CustomerBrowser(instance);
}, LIMIT_MS);
afterAll(() => stage.close());

async function created(terms: object = {}): Promise<string> {
  return (await merchant.createIntent({ description: 'Two <b>tickets</b>', metadata: { secret: 'm-42' }, ...terms }))
    .id;
}

async function quoted(terms: object = {}): Promise<string> {
  const id = await created(terms);
  await customer.send(id, 'method', { token_id: 'usdc-base' });
  return id;
}

const visible = (body: string) => body.replaceAll(/<[^>]*>/g, ' ');

describe('a page of checkout', () => {
  it('shows what is bought, escaped, and nothing that is the merchant’s alone', async () => {
    const id = await created();
    const page = await customer.open(`/checkout/${id}`);
    expect([page.status, titleOf(page)]).toStrictEqual([200, 'Choose how to pay']);
    expect(page.body).toContain('Two &lt;b>tickets&lt;/b>');
    for (const secret of ['m-42', merchant.id, 'wal_', 'position', 'revision']) expect(page.body).not.toContain(secret);
  });

  it('has the one policy of all pages, cannot be framed, and is never kept', async () => {
    const { headers } = await customer.open(`/checkout/${await created()}`);
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    );
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'cross-origin-opener-policy': 'same-origin',
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
    });
    expect(headers['set-cookie']).toBeUndefined();
  });

  it('has nothing inline', async () => {
    const { body } = await customer.open(`/checkout/${await quoted()}`);
    expect(body).not.toMatch(/<style|style=|\son[a-z]+=|<script(?![^>]*src=)|javascript:/);
  });

  it.each([
    ['de', 'wählen', 'de', 'ltr'],
    ['ar', '', 'ar', 'rtl'],
    ['xx', 'Choose', 'en', 'ltr'],
  ])('is written in the language %s that its address names', async (lang, word, code, direction) => {
    const { body } = await customer.open(`/checkout/${await created()}?lang=${lang}`, { 'accept-language': 'en' });
    expect(body).toContain(`<html lang="${code}" dir="${direction}">`);
    expect(visible(body)).toContain(word);
  });

  it('keeps the language over a form', async () => {
    const id = await created();
    const answer = await customer.send(id, 'method?lang=de', { token_id: 'usdc-base' });
    expect([answer.status, answer.headers.location]).toStrictEqual([303, `/checkout/${id}?lang=de`]);
  });

  it.each([
    `/checkout/${UNKNOWN}`,
    '/checkout/pi_1',
    `/checkout/${UNKNOWN}/receipt`,
    `/checkout/${UNKNOWN}/events`,
    `/checkout/${UNKNOWN}/claims/tc_01kb3x5q0g7h2m9c4r8v6t1zny`,
  ])('tells nothing of an unknown payment: %s', async path => {
    const one = await instance.caller.send({ method: 'GET', path, headers: { accept: 'text/html' } });
    const other = await customer.open('/checkout/wal_01kb3x5q0g7h2m9c4r8v6t1zny');
    expect([one.status, one.body]).toStrictEqual([404, other.body]);
  });

  it('is JSON where a program asks', async () => {
    const { status, body } = await instance.caller.send({ method: 'GET', path: `/checkout/${UNKNOWN}` });
    expect([status, (JSON.parse(body) as { error: { code: string } }).error.code]).toStrictEqual([
      404,
      'payment_not_found',
    ]);
  });
});

describe('the choice of a method', () => {
  it('locks a quote as the actor checkout, once for two clicks', async () => {
    const id = await created();
    const formId = await customer.formId(`/checkout/${id}`);
    const click = () => customer.send(id, 'method', { token_id: 'usdc-base' }, { formId });
    const answers = await Promise.all([click(), click(), click()]);
    expect(answers.map(({ status, headers }) => [status, headers.location])).toStrictEqual(
      Array.from({ length: 3 }, () => [303, `/checkout/${id}`]),
    );
    const { data } = await merchant.done(`GET /v1/payment_intents/${id}/events`);
    expect((data as { type: string; actor: string }[]).map(({ type, actor }) => [type, actor])).toStrictEqual([
      ['created', 'api'],
      ['method_selected', 'checkout'],
    ]);
    expect(titleOf(await customer.open(`/checkout/${id}`))).toBe('Send exactly this amount');
  });

  it('shows the exact amount that the API tells', async () => {
    const id = await quoted();
    const { payment_method: method } = await merchant.done(`GET /v1/payment_intents/${id}`);
    const { token_amount, address } = method as { token_amount: string; address: string };
    const { body } = await customer.open(`/checkout/${id}`);
    expect(body).toContain(`data-copy="${token_amount}"`);
    expect(body).toContain(`data-copy="${address}"`);
    expect(body.replaceAll(/<[^>]*>/g, '')).toContain(`${token_amount} USDC`);
  });

  it.each(['usdt-tron', 'usdt-bnb', 'btc', '', '__proto__'])(
    'of %j, which is not on offer, is refused in words',
    async token_id => {
      const id = await created();
      const answer = await customer.send(id, 'method', { token_id });
      expect([answer.status >= 400 && answer.status < 500, titleOf(answer)]).toStrictEqual([true, 'Choose how to pay']);
      expect(answer.body).toContain('role="alert"');
    },
  );

  it('that comes second from another page shows how the payment stands', async () => {
    const id = await created();
    const second = await customer.formId(`/checkout/${id}`);
    await customer.send(id, 'method', { token_id: 'usdc-base' });
    const answer = await customer.send(id, 'method', { token_id: 'usdc-base' }, { formId: second });
    expect([answer.status, titleOf(answer)]).toStrictEqual([409, 'Send exactly this amount']);
    expect(answer.body).toContain('The payment has changed meanwhile.');
  });
});

describe('a form', () => {
  it.each([
    ['of another site', { 'sec-fetch-site': 'cross-site' }],
    ['of a sibling host', { 'sec-fetch-site': 'same-site' }],
    ['that a person typed in', { 'sec-fetch-site': 'none' }],
    ['of another origin', { 'sec-fetch-site': '', origin: 'https://evil.example' }],
  ])('%s has no effect', async (_, headers) => {
    const id = await created();
    const asked = { headers: { ...headers, accept: 'application/json' } };
    const answer = await customer.send(id, 'method', { token_id: 'usdc-base' }, asked);
    expect([answer.status, answer.body]).toStrictEqual([403, expect.stringContaining('permission_denied')]);
    expect((await merchant.done(`GET /v1/payment_intents/${id}`)).status).toBe('created');
  });

  it.each([
    ['application/json', 415],
    ['text/plain', 415],
    ['multipart/form-data; boundary=x', 415],
  ])('as %s is refused', async (type, status) => {
    const id = await created();
    expect((await customer.send(id, 'method', {}, { headers: { 'content-type': type } })).status).toBe(status);
  });

  it.each([[{ token_id: 'usdc-base', wallet_id: 'wal_1' }], [{}]])('with the fields %j is refused', async fields => {
    const id = await created();
    expect((await customer.send(id, 'method', fields)).status).toBe(400);
    expect((await merchant.done(`GET /v1/payment_intents/${id}`)).status).toBe('created');
  });

  it('takes no key for a proof: pages read none', async () => {
    const id = await created();
    const headers = { authorization: 'Bearer sk_test_x', 'sec-fetch-site': 'cross-site' };
    expect((await customer.send(id, 'method', { token_id: 'usdc-base' }, { headers })).status).toBe(403);
  });
});

it.each(['method', 'claims', 'restart'])('leads who reloads the address of the form %s to the payment', async form => {
  const id = await created();
  const answer = await customer.open(`/checkout/${id}/${form}?lang=de`);
  expect([answer.status, answer.headers.location]).toStrictEqual([303, `/checkout/${id}?lang=de`]);
});

it.each(['x%0D%0Ax', '%E2%82%AC', '..%2F..%2Fdocs', 'inv_01kb3x5q0g7h2m9c4r8v6t1zny'])(
  'leads nowhere from a form of %s, which is no payment',
  async id => expect((await customer.open(`/checkout/${id}/method`)).status).toBe(404),
);

describe('“I have paid”', () => {
  it('files a hash, and shows how it stands at an address of its own', async () => {
    const id = await quoted();
    const filed = await customer.send(id, 'claims', { tx_hash: HASH });
    expect(filed.status).toBe(303);
    expect(filed.headers.location).toMatch(new RegExp(`^/checkout/${id}/claims/tc_`));
    const page = await customer.open(String(filed.headers.location));
    expect([page.status, titleOf(page)]).toStrictEqual([200, 'The search for your payment']);
    expect(page.body).toContain(HASH);
    const other = await quoted();
    const claim = String(filed.headers.location).split('/').at(-1);
    expect((await customer.open(`/checkout/${other}/claims/${claim}`)).status).toBe(404);
  });

  it('leads back from the payment’s page to what is still looked for', async () => {
    const id = await quoted();
    const filed = await customer.send(id, 'claims', { tx_hash: '5550001234' });
    const page = await customer.open(`/checkout/${id}?lang=de`);
    expect(page.body).toContain(`href="${filed.headers.location}?lang=de"`);
    expect(page.body).toContain('Wir suchen nach einer Transaktion');
    expect((await customer.open(`/checkout/${await quoted()}`)).body).not.toContain('/claims/');
  });

  it('files an exchange’s own number for people', async () => {
    const id = await quoted();
    const filed = await customer.send(id, 'claims', { tx_hash: ' 5550001234 ' });
    expect((await customer.open(String(filed.headers.location))).body).toContain('5550001234');
    const { claims } = await merchant.done(`GET /v1/payment_intents/${id}`);
    expect(claims).toMatchObject([{ reference: '5550001234', status: 'in_review' }]);
  });

  it('answers a wrong hash at its place, with what was typed', async () => {
    const id = await quoted();
    const answer = await customer.send(id, 'claims', { tx_hash: '"><script>x' });
    expect(answer.status).toBe(400);
    expect(answer.body).toContain('value="&quot;>&lt;script>x"');
    expect(answer.body).toContain('aria-invalid="true"');
    expect(answer.body).toMatch(/<details [^>]*class="claim"[^>]* open/);
  });
});

it('says so where a payment can have no more namings, at each click', async () => {
  const id = await quoted();
  const claim = (number: number, formId?: string) =>
    customer.send(id, 'claims', { tx_hash: `55500${String(number).padStart(5, '0')}` }, formId ? { formId } : {});
  for (let number = 1; number <= 20; number++) expect((await claim(number)).status).toBe(303);
  const formId = await customer.formId(`/checkout/${id}`);
  for (const refused of [await claim(21, formId), await claim(21, formId)])
    expect([refused.status, /id="tx-hash-fault">([^<]*)/.exec(refused.body)?.[1]]).toStrictEqual([
      409,
      `So many transactions were named for this payment that no other one can be. Please ask \u2068Corner Shop\u2069.`,
    ]);
});

it('has a receipt once it is paid, and none before', async () => {
  expect((await customer.open(`/checkout/${await quoted()}/receipt`)).status).toBe(404);
});

it('tells a payment’s open pages of a change', async () => {
  const id = await created();
  const before = /data-page-version="([^"]+)"/.exec((await customer.open(`/checkout/${id}`)).body)?.[1];
  const events = await fetch(`http://127.0.0.1:${instance.port}/checkout/${id}/events`);
  expect(events.headers.get('request-id')).toMatch(/^req_/);
  const reader = (events.body as ReadableStream<Uint8Array>).getReader();
  let text = '';
  const until = async (count: number) => {
    while (text.split('data: ').length <= count) text += Buffer.from((await reader.read()).value ?? []).toString();
  };
  await until(1);
  expect(text).toContain(`data: ${before}\n`);
  await customer.send(id, 'method', { token_id: 'usdc-base' });
  await until(2);
  const after = /data-page-version="([^"]+)"/.exec((await customer.open(`/checkout/${id}`)).body)?.[1];
  expect(text).toContain(`data: ${after}\n`);
  await reader.cancel();
});

describe('an instance that shares its limits', () => {
  let rateLimits: RateLimits;
  let limited: CustomerBrowser;
  beforeAll(async () => {
    rateLimits = await RateLimits.open(stage.core.documents, stage.clock, { write: 100, read: 100, address: 1_000 });
    limited = new CustomerBrowser(await stage.startInstance({ rateLimits }));
  });
  const claim = (id: string) => limited.send(id, 'claims', { tx_hash: 'x' }, { formId: 'a'.repeat(32) });

  it('limits the forms of one payment, whoever sends them', async () => {
    const [one, other] = [await quoted(), await quoted()];
    const statuses = [];
    for (let number = 0; number < 8; number++) statuses.push((await claim(one)).status);
    expect(statuses).toContain(429);
    expect(statuses.indexOf(429)).toBeGreaterThanOrEqual(3);
    expect((await claim(other)).status).toBe(400);
  });

  it('goes on to share them after a form for a text that is no id', async () => {
    expect((await claim(`pi_${'0'.repeat(600)}`)).status).toBe(404);
    await expect(rateLimits.share()).resolves.toBeUndefined();
  });
});

it('tells the limit of the address in the head of a stream, and charges the address for a file that is missing', async () => {
  const rateLimits = await RateLimits.open(stage.core.documents, stage.clock, { write: 100, read: 100, address: 3 });
  const { port } = await stage.startInstance({ rateLimits });
  const asked = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);
  const events = await asked(`/checkout/${await created()}/events`);
  expect([events.headers.get('ratelimit-limit'), events.headers.get('ratelimit-remaining')]).toStrictEqual(['6', '5']);
  await events.body?.cancel();
  const missing = await Promise.all(Array.from({ length: 6 }, () => asked('/assets/none.css')));
  expect(missing.map(({ status }) => status).sort()).toStrictEqual([404, 404, 404, 404, 404, 429]);
  expect((await asked('/healthz')).status).toBe(200);
});
