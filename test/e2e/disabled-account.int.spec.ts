import { operatorContext } from '../../src/cli/operator-context';
import { merchants } from '../../src/modules/merchants/merchant.decider';
import { ApiStage, type ApiInstance } from '../support/api-stage';
import type { StagedMerchant } from '../support/staged-merchant';
import { CustomerBrowser } from '../web/customer-browser';

const LIMIT_MS = 60_000;

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

/** Decides as the command line does. */
async function decide(type: 'disable' | 'enable'): Promise<void> {
  const context = { ...operatorContext({ ...stage.core, user: 'alice' }), merchantId: merchant.id };
  await stage.core.writes.execute(merchants, merchant.id, { type, reason: 'a complaint' }, context);
}

const lengthOf = async (stream: string) => (await stage.core.store.readStream(stream)).length;

it('opens no payment by a link or an invoice that customers have, until it is enabled again', async () => {
  const terms = { kind: 'fixed', currency: 'EUR', amount: '2500' };
  const link = (await merchant.done('POST /v1/payment_links', { body: terms })).id as string;
  const draft = (await merchant.done('POST /v1/invoices', { body: { currency: 'EUR', amount: '2500' } })).id as string;
  const { payment_intent: first } = await merchant.done(`POST /v1/invoices/${draft}/issue`);
  await merchant.done(`POST /v1/payment_intents/${first}/cancel`);
  const pay = () => customer.sendForm(`/pay/${link}`, `/pay/${link}`, {});
  const press = () => customer.sendForm(`/invoices/${draft}`, `/invoices/${draft}/pay`, {});

  await decide('disable');
  for (const send of [pay, press]) {
    const answer = await send();
    expect([answer.status, answer.headers.location]).toStrictEqual([403, undefined]);
  }
  expect(await lengthOf(`test.payment_link-${link}`)).toBe(1);
  expect(await lengthOf(`test.invoice-${draft}`)).toBe(2);

  await decide('enable');
  for (const send of [pay, press]) expect((await send()).headers.location).toMatch(/^\/checkout\/pi_/);
});
