import { RateLimits } from '../../src/platform/rate-limits/rate-limits';
import { ApiStage, type ApiInstance } from '../support/api-stage';
import type { StagedMerchant } from '../support/staged-merchant';
import { CustomerBrowser, titleOf } from './customer-browser';

const LIMIT_MS = 60_000;
const DAY_MS = 86_400_000;
const UNKNOWN = 'plink_01kb3x5q0g7h2m9c4r8v6t1zny';
const FIXED = { kind: 'fixed', currency: 'EUR', amount: '2500' };
const OPEN = { kind: 'open', currency: 'EUR', min_amount: '500', max_amount: '50000' };
const TO_CHECKOUT = /^\/checkout\/(pi_[0-9a-z]{26})$/;

let stage: ApiStage;
let instance: ApiInstance;
let merchant: StagedMerchant;
let customer: CustomerBrowser;

beforeAll(async () => {
  stage = await ApiStage.open();
  instance = await stage.startInstance();
  merchant = await stage.register(instance);
  customer = new CustomerBrowser(instance);
}, LIMIT_MS);
afterAll(() => stage.close());

const link = async (changes: object = {}, of: object = FIXED): Promise<string> =>
  (await merchant.done('POST /v1/payment_links', { body: { ...of, ...changes } })).id;
const uses = async (id: string): Promise<number> =>
  (await merchant.done(`GET /v1/payment_links/${id}`)).use_count as number;
const pay = (id: string, options = {}, of = customer) => of.sendForm(`/pay/${id}`, `/pay/${id}`, {}, options);
const payAmount = (id: string, amount: string, lang = '') =>
  customer.sendForm(`/pay/${id}${lang}`, `/pay/${id}/amount${lang}`, { amount });
const visible = (body: string) => body.replaceAll(/<[^>]*>/g, ' ');

describe('the page of a link', () => {
  it('shows what is bought, escaped, and nothing that is the merchant’s alone', async () => {
    const id = await link({ description: 'Two <b>tickets</b>', metadata: { secret: 'm-42' }, max_uses: 7_654 });
    const page = await customer.open(`/pay/${id}`);
    expect([page.status, titleOf(page)]).toStrictEqual([200, 'Pay \u2068Corner Shop\u2069']);
    expect(visible(page.body)).toContain('€25.00');
    expect(page.body).toContain('Two &lt;b>tickets&lt;/b>');
    expect(page.body).toContain(`data-copy="${stage.core.config.publicUrl}/pay/${id}"`);
    expect(page.body).toContain('Test mode');
    for (const secret of ['m-42', merchant.id, 'wal_', '7654']) expect(page.body).not.toContain(secret);
    expect(page.headers['cache-control']).toBe('no-store');
    expect(page.body).not.toMatch(/<style|style=|\son[a-z]+=|<script(?![^>]*src=)|javascript:/);
    expect(await uses(id)).toBe(0);
  });

  it('is written in the reader’s language', async () => {
    const { body } = await customer.open(`/pay/${await link({}, OPEN)}?lang=de`);
    expect(body).toContain('<html lang="de" dir="ltr">');
    expect(visible(body)).toContain('Betrag in EUR');
    expect((await customer.open(`/pay/${await link()}?lang=ar`)).body).toContain('<html lang="ar" dir="rtl">');
  });

  it.each([UNKNOWN, 'plink_1', 'pi_01kb3x5q0g7h2m9c4r8v6t1zny'])('tells nothing of the unknown %s', async id => {
    const page = await customer.open(`/pay/${id}`);
    const other = await customer.open('/checkout/pi_1');
    expect([page.status, page.body]).toStrictEqual([404, other.body]);
    expect((await pay(id, { formId: 'a'.repeat(32) })).status).toBe(404);
  });

  it.each<[string, string, (id: string) => Promise<unknown>]>([
    ['inactive', 'This link is no longer active', id => merchant.done(`POST /v1/payment_links/${id}/deactivate`)],
    ['spent', 'This link has been used up', id => pay(id)],
    [
      'ended',
      'The time of this link is over',
      () => merchant.done('POST /v1/sandbox/clock', { body: { advance_ms: DAY_MS } }),
    ],
  ])('of a link that is %s says so, and opens no payment', async (_, title, end) => {
    const { now } = await merchant.done('GET /v1/sandbox/clock');
    const expires_at = new Date(Date.parse(now) + DAY_MS).toISOString();
    const id = await link({ max_uses: 1, expires_at });
    const formId = await customer.formId(`/pay/${id}`);
    await end(id);
    const page = await customer.open(`/pay/${id}`);
    expect([page.status, titleOf(page)]).toStrictEqual([200, title]);
    expect(page.body).not.toContain('<form');
    const before = await uses(id);
    const answer = await pay(id, { formId });
    expect([answer.status, titleOf(answer)]).toStrictEqual([409, title]);
    expect(await uses(id)).toBe(before);
  });
});

describe('the form of a link', () => {
  it('leads to the checkout of a new payment, made as the actor checkout', async () => {
    const id = await link({ description: 'A ticket', metadata: { order: '42' } });
    const answer = await pay(id);
    const [, payment] = TO_CHECKOUT.exec(String(answer.headers.location)) ?? [];
    expect(answer.status).toBe(303);
    expect(await merchant.done(`GET /v1/payment_intents/${payment}`)).toMatchObject({
      status: 'created',
      amount: '2500',
      description: 'A ticket',
      metadata: { order: '42' },
      payment_link: id,
    });
    const { data } = await merchant.done(`GET /v1/payment_intents/${payment}/events`);
    expect(data).toMatchObject([{ type: 'created', actor: 'checkout' }]);
    // The merchant has no route.
    expect(titleOf(await customer.open(`/checkout/${payment}`))).toBe('This cannot be paid now');
  });

  it('counts once for any number of clicks, and once more for another page', async () => {
    const id = await link();
    const formId = await customer.formId(`/pay/${id}`);
    const answers = await Promise.all([pay(id, { formId }), pay(id, { formId }), pay(id, { formId })]);
    expect(new Set(answers.map(({ status, headers }) => `${status} ${headers.location}`)).size).toBe(1);
    expect(await uses(id)).toBe(1);
    expect((await pay(id)).headers.location).not.toBe(answers[0]?.headers.location);
    expect(await uses(id)).toBe(2);
  });

  it.each([
    ['', '12.50', '1250'],
    ['?lang=de', '12,50', '1250'],
    ['?lang=de', '499,99 €', '49999'],
    ['?lang=ar', '١٢٫٥٠', '1250'],
    ['?lang=fr', '5', '500'],
  ])('takes an amount as people of its language write it: %s %s', async (lang, typed, amount) => {
    const answer = await payAmount(await link({}, OPEN), typed, lang);
    const location = String(answer.headers.location);
    expect([answer.status, location.endsWith(lang)]).toStrictEqual([303, true]);
    const payment = location.slice('/checkout/'.length).replace(lang, '');
    expect(await merchant.done(`GET /v1/payment_intents/${payment}`)).toMatchObject({ amount });
  });

  it.each([
    ['a word', 'twelve', 'such as \u20685.00\u2069'],
    ['nothing', '', 'such as'],
    ['a third decimal', '12.505', '2 decimals at most'],
    ['less than the least', '4.99', 'at least \u2068€5.00\u2069'],
    ['more than the most', '500.01', 'at most \u2068€500.00\u2069'],
    ['more digits than any amount has', '9'.repeat(80), 'at most'],
    ['markup', '"><script>x', 'such as'],
  ])('refuses %s at its field, with what was typed', async (_, typed, words) => {
    const id = await link({}, OPEN);
    const answer = await payAmount(id, typed);
    expect(answer.status).toBe(400);
    expect(answer.body).toContain('aria-invalid="true"');
    expect(visible(answer.body)).toContain(words);
    const value = typed.replaceAll('"', '&quot;').replaceAll('<', '&lt;');
    expect(answer.body).toContain(value === '' ? ' value dir' : ` value="${value}"`);
    expect(await uses(id)).toBe(0);
  });

  it('tells an amount of the link that cannot be paid, above its form', async () => {
    const id = await link({ amount: '1' });
    const answer = await pay(id);
    expect([answer.status, await uses(id)]).toStrictEqual([400, 0]);
    expect(answer.body).toContain('role="alert"');
    expect(visible(answer.body)).toContain('too small');
    const dear = await link({ max_amount: '900000000000' }, OPEN);
    expect(visible((await payAmount(dear, '8000000000')).body)).toContain('too large for one payment');
  });

  it.each([
    ['of another site', { 'sec-fetch-site': 'cross-site' }, 403],
    ['that a person typed in', { 'sec-fetch-site': 'none' }, 403],
    ['as JSON', { 'content-type': 'application/json' }, 415],
  ])('%s has no effect', async (_, headers, status) => {
    const id = await link();
    expect((await pay(id, { headers })).status).toBe(status);
    expect(await uses(id)).toBe(0);
  });

  it('of the other kind of link is refused, and counts nothing', async () => {
    const [fixed, open] = [await link(), await link({}, OPEN)];
    expect((await payAmount(fixed, '12')).status).toBe(400);
    expect((await pay(open)).status).toBe(400);
    expect([await uses(fixed), await uses(open)]).toStrictEqual([0, 0]);
  });

  it('leads who reloads its address to the link', async () => {
    const id = await link({}, OPEN);
    const answer = await customer.open(`/pay/${id}/amount?lang=de`);
    expect([answer.status, answer.headers.location]).toStrictEqual([303, `/pay/${id}?lang=de`]);
  });

  it('has a limit for each address, which other addresses do not use up', async () => {
    const rates = { write: 100, read: 100, address: 1_000 };
    const rateLimits = await RateLimits.open(stage.core.documents, stage.clock, rates);
    const limited = await stage.startInstance({ rateLimits });
    const id = await link();
    const statuses: number[] = [];
    for (let number = 0; number < 8; number++)
      statuses.push((await pay(id, { formId: 'a'.repeat(32) }, new CustomerBrowser(limited))).status);
    expect(statuses.indexOf(429)).toBeGreaterThanOrEqual(3);
    expect((await pay(await link(), { formId: 'b'.repeat(32) }, new CustomerBrowser(limited))).status).toBe(303);
  });
});
