import { HOUR_MS } from '../../src/kernel/clock';
import { systemContext } from '../../src/kernel/command-context';
import { paymentIntents } from '../../src/modules/payment-intents/payment-intent.decider';
import { UNPAID_LIMIT, UNPAID_QUOTAS } from '../../src/processes/method-selection/unpaid-quota';
import { transfer } from '../modules/payment-intents/histories';
import { ApiStage, type ApiInstance } from '../support/api-stage';
import type { StagedMerchant } from '../support/staged-merchant';
import { CustomerBrowser } from './customer-browser';

const LIMIT_MS = 60_000;
/** The amounts of a small price. */
const AMOUNTS = 999;
const LOOK_PAUSE_MS = 30_000;
/** Two addresses of one client network, and one of its neighbour. */
const [STRANGER, SAME, NEIGHBOUR] = ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9', '2001:db8:1:3::1'];
const OTHER = '198.51.100.8';
const METHOD = { token_id: 'usdc-base' };

let stage: ApiStage;
let instance: ApiInstance;
let merchant: StagedMerchant;
let wallet: string;
let link: string;
let forms = 0;

beforeAll(async () => {
  stage = await ApiStage.open({ TRUSTED_PROXIES: '1' });
  instance = await stage.startInstance();
}, LIMIT_MS);
afterAll(() => stage.close());

async function newMerchant(): Promise<void> {
  merchant = await stage.register(instance, { isChecked: false });
  wallet = (await merchant.registerWallet()).id;
  await merchant.verifyWallet(wallet);
  await merchant.routeTo(wallet);
  link = (await merchant.done('POST /v1/payment_links', { body: { kind: 'fixed', currency: 'EUR', amount: '500' } }))
    .id;
}

const at = (address: string) => new CustomerBrowser(instance, { 'x-forwarded-for': address });
const formId = () => (forms += 1).toString(16).padStart(32, '0');
const visible = (body: string) => body.replaceAll(/<[^>]*>/g, ' ');
const documents = async () =>
  (await stage.core.documents.open(UNPAID_QUOTAS)).list({ index: 'by_lapse', equals: {}, limit: 1_000 });

async function opened(address: string): Promise<string> {
  const { headers } = await at(address).sendForm('', `/pay/${link}`, {}, { formId: formId() });
  return String(headers.location).slice('/checkout/'.length);
}
const choose = (address: string, payment: string, query = '') =>
  at(address).sendForm('', `/checkout/${payment}/method${query}`, METHOD, { formId: formId() });

/** Opens payments at the link and chooses their methods, as often as the limit allows. */
async function useUp(address: string): Promise<readonly string[]> {
  const payments: string[] = [];
  for (let count = 0; count < UNPAID_LIMIT; count++) {
    const payment = await opened(address);
    expect((await choose(address, payment)).status).toBe(303);
    payments.push(payment);
  }
  return payments;
}

async function pay(payment: string): Promise<void> {
  const { state } = await stage.core.writes.load(paymentIntents, 'test', payment);
  if (state.status !== 'awaiting_payment') throw new Error('no quote');
  const facts = { actor: 'watcher', mode: 'test', merchantId: merchant.id, now: stage.clock.now() } as const;
  const seen = { ...transfer('tr_1', state.quote.due_base_units), attribution: 'exact' } as const;
  const see = { type: 'see_transfer', transfer: seen } as const;
  await stage.core.writes.execute(paymentIntents, payment, see, systemContext(`see-${payment}`, facts));
}

it('is a twentieth of the amounts of a small price', () => {
  expect(UNPAID_LIMIT).toBe(Math.ceil(AMOUNTS / 20));
});

describe('one client network that chooses a method again and again and never pays', () => {
  let payments: readonly string[];
  beforeAll(async () => {
    await newMerchant();
    payments = await useUp(STRANGER);
  }, LIMIT_MS);

  it('is refused in words long before the price is used up, and everybody else pays on', async () => {
    const refused = await opened(STRANGER);
    const answer = await choose(STRANGER, refused, '?lang=de');
    expect(answer.status).toBe(429);
    expect(visible(answer.body)).toContain('Über Ihren Internetanschluss wurden so viele Zahlungen begonnen');
    const waitMs = Number(answer.headers['retry-after']) * 1_000;
    expect(waitMs).toBeGreaterThan(23 * HOUR_MS);
    expect(waitMs).toBeLessThan(25 * HOUR_MS);
    // The payment is open as before, from another network too.
    expect((await choose(OTHER, refused)).status).toBe(303);
    const { id } = await merchant.createIntent({ amount: '500' });
    const body = { ...METHOD, wallet_id: wallet };
    await merchant.done(`POST /v1/payment_intents/${id}/select_method`, { body });
    // The merchant opened this one, so its customer is not counted.
    expect((await choose(STRANGER, (await merchant.createIntent({ amount: '500' })).id)).status).toBe(303);
  });

  it('is one network with all of its IPv6 addresses', async () => {
    expect((await choose(SAME, await opened(STRANGER))).status).toBe(429);
    expect((await choose(NEIGHBOUR, await opened(STRANGER))).status).toBe(303);
  });

  it('has room again for each payment that gets money, and for all once their time is over', async () => {
    const [paid = ''] = payments;
    const waiting = await opened(STRANGER);
    expect((await choose(STRANGER, waiting)).status).toBe(429);
    await pay(paid);
    stage.clock.aheadMs += LOOK_PAUSE_MS;
    expect((await choose(STRANGER, waiting)).status).toBe(303);
    expect((await choose(STRANGER, await opened(STRANGER))).status).toBe(429);
    await merchant.done('POST /v1/sandbox/clock', { body: { advance_ms: 25 * HOUR_MS } });
    expect((await choose(STRANGER, await opened(STRANGER))).status).toBe(303);
  });
});

describe('the choice of a method', () => {
  beforeEach(newMerchant);

  it('counts the payments that a customer opens at an invoice, and no other one', async () => {
    const { id } = await merchant.done('POST /v1/invoices', { body: { currency: 'EUR', amount: '500' } });
    const { payment_intent: first } = await merchant.done(`POST /v1/invoices/${id}/issue`);
    const before = (await documents()).length;
    expect((await choose('203.0.113.1', first)).status).toBe(303);
    expect(await documents()).toHaveLength(before);
    await merchant.done(`POST /v1/payment_intents/${first}/cancel`);
    const { headers } = await at('203.0.113.1').sendForm('', `/invoices/${id}/pay`, {}, { formId: formId() });
    const second = String(headers.location).slice('/checkout/'.length);
    expect(second).not.toBe(first);
    expect((await choose('203.0.113.1', second)).status).toBe(303);
    expect(await documents()).toHaveLength(before + 1);
  });

  it('counts one payment once, whoever of two clicks is faster', async () => {
    const payment = await opened('203.0.113.2');
    const before = (await documents()).length;
    const answers = await Promise.all([choose('203.0.113.2', payment), choose('203.0.113.2', payment)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 409]);
    const [own] = (await documents()).filter(({ body }) => JSON.stringify(body).includes(payment));
    expect((await documents()).length).toBe(before + 1);
    expect((own?.body.unpaid as unknown[]).length).toBe(1);
  });
});
