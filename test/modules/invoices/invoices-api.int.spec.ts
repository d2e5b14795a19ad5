import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { parseIsoTime } from '../../../src/kernel/clock';
import { checkoutContext } from '../../../src/modules/checkout/checkout-context';
import { GetCheckoutTerms } from '../../../src/modules/checkout/queries/get-checkout-terms.query';
import { paymentIntents } from '../../../src/modules/payment-intents/payment-intent.decider';
import { RestartPayment } from '../../../src/modules/payment-intents/commands/restart-payment.command';
import { ApiStage, type ApiInstance } from '../../support/api-stage';
import type { StagedMerchant } from '../../support/staged-merchant';
import { LINE, TERMS } from './invoice-order';

const LIMIT_MS = 60_000;
const UNKNOWN = 'inv_00000000000000000000000000';
let stage: ApiStage;
let instance: ApiInstance;
let merchant: StagedMerchant;
let wallet: string;

beforeAll(async () => {
  stage = await ApiStage.open();
  instance = await stage.startInstance();
}, LIMIT_MS);
beforeEach(async () => {
  merchant = await stage.register(instance);
  ({ id: wallet } = await merchant.registerWallet());
  await merchant.verifyWallet(wallet);
  await merchant.routeTo(wallet);
});
afterAll(() => stage.close());

const draft = (changes: object = {}, ask: object = {}) =>
  merchant.done('POST /v1/invoices', { body: { ...TERMS, ...changes }, ...ask });
const issued = async (changes: object = {}) => {
  const { id } = await draft(changes);
  return merchant.done(`POST /v1/invoices/${id}/issue`);
};
const select = (id: string) =>
  merchant.done(`POST /v1/payment_intents/${id}/select_method`, {
    body: { token_id: 'usdc-base', wallet_id: wallet },
  });
const typesOf = async (stream: string) => (await stage.core.store.readStream(stream)).map(({ type }) => type);

/** The sweeper ends the quote, as the payment itself allows it after its last moment. */
async function expire(id: string): Promise<void> {
  const { expires_at } = await select(id);
  const actor = { role: 'sweeper', type: 'system', id: 'expiry' } as const;
  const request = { commandId: `expiry-${id}`, requestId: 'req_1', ip: null, now: parseIsoTime(expires_at) + 1 };
  const context = { ...checkoutContext({ mode: 'test', merchantId: merchant.id }, request), actor };
  await instance.parts.core.writes.execute(paymentIntents, id, { type: 'expire' }, context);
}

it('drafts an invoice with its figures, under the next number', async () => {
  const invoice = await draft();
  expect(invoice).toMatchObject({
    object: 'invoice',
    mode: 'test',
    number: 'INV-000001',
    sequence: 1,
    status: 'draft',
    amount: '4239',
    subtotal: '3750',
    discount_total: '188',
    tax_total: '677',
    currency: 'EUR',
    currency_decimals: 2,
    customer: { name: 'Ada Byron', email: 'ada@example.com' },
    lines: [{ ...LINE, subtotal: '3750', discount: '188', tax: '677', amount: '4239' }],
    due_at: '2030-12-01T00:00:00.000Z',
    language: 'en',
    overdue: false,
    payment_intent: null,
    payment_intents: [],
    hosted_url: null,
    issued_at: null,
  });
  expect(await merchant.done(`GET /v1/invoices/${invoice.id}`)).toStrictEqual(invoice);
  expect(await typesOf(`test.invoice_series-${merchant.id}`)).toEqual(['InvoiceNumberAllocated']);
  expect(await typesOf(`test.invoice-${invoice.id}`)).toEqual(['InvoiceDrafted']);
});

it('counts each mode by itself, and sets the prefix for what comes after', async () => {
  await draft();
  await merchant.done('POST /v1/settings', { body: { invoice_prefix: '2026/' } });
  expect(await draft({ lines: undefined, amount: 990 })).toMatchObject({ number: '2026/000002', amount: '990' });
  const { live } = merchant.registered.keys;
  const other = await merchant.call('POST /v1/invoices', { key: live, body: { ...TERMS } });
  // No rates are configured in live mode.
  expect(other.code).toBe('currency_not_supported');
  expect(await typesOf(`live.invoice_series-${merchant.id}`)).toEqual([]);
});

it('answers the same invoice to a repeated request, which takes one number', async () => {
  const headers = { 'idempotency-key': 'tea-of-november' };
  const first = await draft({}, { headers });
  expect(await draft({}, { headers })).toStrictEqual(first);
  expect(await draft({})).toMatchObject({ sequence: 2 });
});

it('lists the newest number first, by status, page by page', async () => {
  const { id: first } = await draft();
  const { id: second } = await issued();
  const { id: third } = await draft();
  await stage.project();
  const ids = async (query: string) => {
    const { data, has_more } = await merchant.done(`GET /v1/invoices${query}`);
    return [(data as { id: string }[]).map(({ id }) => id), has_more];
  };
  expect(await ids('')).toEqual([[third, second, first], false]);
  expect(await ids('?limit=1')).toEqual([[third], true]);
  expect(await ids(`?limit=2&starting_after=${third}`)).toEqual([[second, first], false]);
  expect(await ids('?status=open')).toEqual([[second], false]);
  expect(await ids('?status=draft')).toEqual([[third, first], false]);
  expect((await merchant.call('GET /v1/invoices?status=late')).code).toBe('invalid_filter');
});

it('issues a payment that names the invoice, has its words and its page', async () => {
  await merchant.done('POST /v1/settings', { body: { default_success_url: 'https://tea.example/thanks' } });
  const invoice = await issued();
  expect(invoice).toMatchObject({ status: 'open', payment_intents: [invoice.payment_intent] });
  expect(invoice.hosted_url).toMatch(new RegExp(`/invoices/${invoice.id}$`));
  const payment = await merchant.done(`GET /v1/payment_intents/${invoice.payment_intent}`);
  expect(payment).toMatchObject({
    status: 'created',
    amount: '4239',
    currency: 'EUR',
    metadata: { order: '42' },
    description: 'Tea of November',
    success_url: 'https://tea.example/thanks',
    invoice: invoice.id,
  });
  expect(await typesOf(`test.invoice-${invoice.id}`)).toEqual(['InvoiceDrafted', 'InvoiceIssued', 'InvoiceMailed']);
  await stage.project();
  const { data } = await merchant.done(`GET /v1/payment_intents?invoice=${invoice.id}`);
  expect(data).toMatchObject([{ id: invoice.payment_intent }]);
});

it('issues another payment once the last one is canceled or expired, and none before', async () => {
  const { id, payment_intent: first } = await issued();
  const issue = `POST /v1/invoices/${id}/issue`;
  expect((await merchant.call(issue)).code).toBe('invalid_state_transition');
  await merchant.done(`POST /v1/payment_intents/${first}/cancel`);
  const { payment_intent: second } = await merchant.done(issue);
  await expire(second);
  await merchant.done('POST /v1/settings', { body: { checkout_restart: true } });
  const terms = await instance.app.get(QueryBus).execute(new GetCheckoutTerms(second));
  if (terms === null) throw new Error(`${second} has no terms`);
  const request = { commandId: 'r', requestId: 'r', ip: null, now: 0 };
  const restart = new RestartPayment(second, terms, checkoutContext(terms, request));
  // The invoice makes its payments itself: two of them could be paid otherwise.
  await expect(instance.app.get(CommandBus).execute(restart)).rejects.toMatchObject({
    code: 'invalid_state_transition',
  });
  const open = await merchant.done(issue);
  expect(open.payment_intents).toEqual([first, second, open.payment_intent]);
  expect(new Set(open.payment_intents).size).toBe(3);
});

it('makes one payment of many calls at once', async () => {
  const { id } = await draft();
  const answers = await Promise.all(Array.from({ length: 8 }, () => merchant.call(`POST /v1/invoices/${id}/issue`)));
  const codes = answers.map(({ code }) => code).sort();
  expect(codes).toEqual([...Array.from({ length: 7 }, () => 'invalid_state_transition'), null]);
  expect((await merchant.done(`GET /v1/invoices/${id}`)).payment_intents).toHaveLength(1);
});

it('voids a draft and an open invoice, whose payment is canceled, and keeps the number', async () => {
  const { id: first } = await draft();
  expect(await merchant.done(`POST /v1/invoices/${first}/void`)).toMatchObject({ status: 'void', sequence: 1 });
  const { id, payment_intent } = await issued();
  await select(payment_intent);
  expect(await merchant.done(`POST /v1/invoices/${id}/void`)).toMatchObject({ status: 'void', overdue: false });
  expect(await merchant.done(`GET /v1/payment_intents/${payment_intent}`)).toMatchObject({ status: 'canceled' });
  for (const verb of ['void', 'issue', 'send'])
    expect((await merchant.call(`POST /v1/invoices/${id}/${verb}`)).code).toBe('invalid_state_transition');
  expect(await draft()).toMatchObject({ sequence: 3 });
});

it('tells that an open invoice is overdue', async () => {
  const { id } = await issued({ due_at: '2020-01-01T00:00:00Z' });
  expect(await merchant.done(`GET /v1/invoices/${id}`)).toMatchObject({ status: 'open', overdue: true });
});

it('is sent to a customer with an address alone', async () => {
  const { id } = await issued();
  expect(await merchant.done(`POST /v1/invoices/${id}/send`)).toMatchObject({ id, status: 'open' });
  expect(await typesOf(`test.invoice-${id}`)).toContain('InvoiceMailed');
  const nameless = await issued({ customer: undefined });
  expect((await merchant.call(`POST /v1/invoices/${nameless.id}/send`)).code).toBe('invalid_state_transition');
});

it('is nothing to others, in any mode', async () => {
  const { id } = await issued();
  const other = await stage.register(instance);
  const { live } = merchant.registered.keys;
  for (const [who, ask] of [
    [other, {}],
    [merchant, { key: live }],
  ] as const)
    // prettier-ignore
    for (const line of [`GET /v1/invoices/${id}`, `POST /v1/invoices/${id}/issue`, `POST /v1/invoices/${id}/void`, `POST /v1/invoices/${id}/send`]) // prettier-ignore
      expect((await who.call(line, ask)).code).toBe('resource_missing');
  expect((await merchant.call(`GET /v1/invoices/${UNKNOWN}`)).code).toBe('resource_missing');
  expect((await merchant.call('POST /v1/invoices/nothing/issue')).code).toBe('resource_missing');
});
