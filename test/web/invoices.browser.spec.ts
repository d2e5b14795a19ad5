import { ApiStage, type ApiInstance } from '../support/api-stage';
import type { StagedMerchant } from '../support/staged-merchant';
import { CheckoutCustomer } from './checkout-customer';
import { axeViolations, sidewaysScroll } from './checks';
import { inBrowser } from './in-browser';
import { countTransfers } from './transferred';

const LIMIT_MS = 60_000;
const TERMS = {
  currency: 'EUR',
  lines: [{ description: 'Green tea', quantity: 2, unit_amount: '1250', tax_bps: 1_900 }],
  customer: { name: 'Ada Byron' },
};
/** Bytes over the wire, headers included, as checkout's pages have them. */
const WHOLE_LIMIT = 20 * 1_024;
const PAGE_LIMIT = 12 * 1_024;
type Issued = { readonly id: string; readonly payment_intent: string };

inBrowser('the page of an invoice', start => {
  let stage: ApiStage;
  let instance: ApiInstance;
  let merchant: StagedMerchant;

  beforeAll(async () => {
    stage = await ApiStage.open();
    instance = await stage.startInstance();
    merchant = await stage.register(instance, { isChecked: false });
    const { id } = await merchant.registerWallet();
    await merchant.verifyWallet(id);
    await merchant.routeTo(id);
  }, LIMIT_MS);
  afterAll(() => stage.close());

  async function issued(): Promise<Issued> {
    const { id } = await merchant.done('POST /v1/invoices', { body: TERMS });
    return (await merchant.done(`POST /v1/invoices/${id}/issue`)) as Issued;
  }
  const urlOf = (path: string) => `http://127.0.0.1:${instance.port}${path}`;
  const cancel = (payment: string) => merchant.done(`POST /v1/payment_intents/${payment}/cancel`);

  it.each([
    { script: true, lang: 'en', screen: 'desktop', see: 'See the invoice' },
    { script: false, lang: 'de', screen: 'phone', see: 'Rechnung ansehen' },
    { script: false, lang: 'ar', screen: 'phone', see: 'عرض الفاتورة' },
  ] as const)(
    'leads to its payment and back by the keyboard alone: language $lang, script $script',
    async ({ see, ...look }) => {
      const { id, payment_intent: payment } = await issued();
      const visit = await start(look);
      const { page } = visit;
      await visit.open(urlOf(`/invoices/${id}`));
      expect([await axeViolations(page), await sidewaysScroll(page)]).toStrictEqual([[], []]);
      const customer = new CheckoutCustomer(visit);
      await customer.tabTo('a.button.main');
      await page.keyboard.press('Enter');
      await page.waitForURL(`**/checkout/${payment}`);
      await page.getByRole('link', { name: see }).click();
      await page.waitForURL(`**/invoices/${id}`);
      await cancel(payment);
      await page.reload();
      await customer.tabTo('button.main');
      await page.keyboard.press('Enter');
      await page.waitForURL(/\/checkout\/pi_/);
      const { payment_intents: payments } = await merchant.done(`GET /v1/invoices/${id}`);
      expect(page.url()).toBe(urlOf(`/checkout/${(payments as readonly string[])[1]}`));
    },
    LIMIT_MS,
  );

  it('shows by itself how the invoice stands, and says it', async () => {
    const { id, payment_intent: payment } = await issued();
    const visit = await start();
    const { page } = visit;
    await visit.open(urlOf(`/invoices/${id}`));
    await page.locator('a.button.main').waitFor();
    await cancel(payment);
    await page.locator('form button.main').waitFor();
    await merchant.done(`POST /v1/invoices/${id}/void`);
    await page.getByText('This invoice is void. Please do not pay it.').first().waitFor();
    await page.locator('#said', { hasText: 'This invoice is void' }).waitFor({ state: 'attached' });
    expect(await page.locator('.button.main').count()).toBe(0);
  });

  it('weighs no more than a page of checkout', async () => {
    const visit = await start();
    const transferred = await countTransfers(visit);
    await visit.open(urlOf(`/invoices/${(await issued()).id}`));
    await visit.page.locator('a.button.main').waitFor();
    const { whole, byKind } = transferred();
    expect(byKind.Document).toBeLessThan(PAGE_LIMIT);
    expect(whole).toBeLessThan(WHOLE_LIMIT);
  });

  it('is shown again to whoever loads the address of a refused form', async () => {
    const { id, payment_intent: payment } = await issued();
    await cancel(payment);
    const visit = await start();
    const { page } = visit;
    await visit.open(urlOf(`/invoices/${id}`));
    // No page of the service makes such an id.
    await page.evaluate(`document.querySelector('[name=form_id]').value = 'x'`);
    await page.locator('form button.main').click();
    await page.getByText('Please send the form again.').waitFor();
    expect(visit.takeFaults().filter(fault => !fault.includes('400'))).toEqual([]);
    expect(page.url()).toBe(urlOf(`/invoices/${id}/pay`));
    await page.goto(page.url());
    expect(page.url()).toBe(urlOf(`/invoices/${id}`));
    await page.locator('form button.main').waitFor();
  });
});
