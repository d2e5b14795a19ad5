import { ApiStage, type ApiInstance } from '../support/api-stage';
import type { StagedMerchant } from '../support/staged-merchant';
import { CheckoutCustomer } from './checkout-customer';
import { axeViolations, readQr, sidewaysScroll } from './checks';
import { inBrowser } from './in-browser';
import { countTransfers } from './transferred';

const LIMIT_MS = 60_000;
const OPEN = { kind: 'open', currency: 'EUR', min_amount: '500', max_amount: '50000', description: 'A gift' };
/** Bytes over the wire, headers included, as checkout's pages have them. */
const WHOLE_LIMIT = 20 * 1_024;
const PAGE_LIMIT = 12 * 1_024;

inBrowser('the page of a link', start => {
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

  const created = async (body: object) => (await merchant.done('POST /v1/payment_links', { body })).id as string;
  const urlOf = (id: string) => `http://127.0.0.1:${instance.port}/pay/${id}`;

  it.each([
    { script: true, lang: 'en', screen: 'desktop', typed: '12.50', label: 'Amount in EUR', go: 'Continue to payment' },
    { script: false, lang: 'en', screen: 'phone', typed: '12.50', label: 'Amount in EUR', go: 'Continue to payment' },
    { script: true, lang: 'de', screen: 'phone', typed: '12,50', label: 'Betrag in EUR', go: 'Weiter zur Zahlung' },
    { script: false, lang: 'ar', screen: 'phone', typed: '١٢٫٥٠', label: 'المبلغ بعملة EUR', go: 'المتابعة إلى الدفع' },
  ] as const)(
    'leads from an amount to what is to be sent: language $lang, script $script',
    async ({ typed, label, go, ...look }) => {
      const link = await created(OPEN);
      const visit = await start(look);
      const { page } = visit;
      await visit.open(urlOf(link));
      await page.getByLabel(label).fill('4');
      await page.getByRole('button', { name: go }).click();
      await page.locator('#amount-fault').waitFor();
      expect(visit.takeFaults().filter(fault => !fault.includes('400'))).toEqual([]);
      expect(await page.getByLabel(label).inputValue()).toBe('4');
      expect([await axeViolations(page), await sidewaysScroll(page)]).toStrictEqual([[], []]);
      await page.getByLabel(label).fill(typed);
      await page.getByRole('button', { name: go }).click();
      await page.waitForURL(/\/checkout\/pi_/);
      const id = /pi_[0-9a-z]+/.exec(page.url())?.[0];
      expect(await merchant.done(`GET /v1/payment_intents/${id}`)).toMatchObject({
        amount: '1250',
        payment_link: link,
        status: 'created',
      });
      expect(await merchant.done(`GET /v1/payment_links/${link}`)).toMatchObject({ use_count: 1 });
    },
    LIMIT_MS,
  );

  it(
    'is paid from there: the customer chooses, and is told the exact amount',
    async () => {
      const visit = await start();
      await visit.open(urlOf(await created(OPEN)));
      await visit.page.getByLabel('Amount in EUR').fill('20');
      await visit.page.getByRole('button', { name: 'Continue to payment' }).click();
      await visit.page.waitForURL(/\/checkout\/pi_/);
      const customer = new CheckoutCustomer(visit);
      await customer.choose(visit.page.url(), 'USDC', 'Base');
      const id = /pi_[0-9a-z]+/.exec(visit.page.url())?.[0];
      const { payment_method: method, amount } = await merchant.done(`GET /v1/payment_intents/${id}`);
      expect([amount, await customer.readAmount()]).toStrictEqual(['2000', method.token_amount]);
    },
    LIMIT_MS,
  );

  it('has a code that holds its own address', async () => {
    const link = await created({ kind: 'fixed', currency: 'EUR', amount: '2500' });
    const visit = await start({ screen: 'phone' });
    await visit.open(urlOf(link));
    expect(await readQr(visit.page.locator('svg.qr'))).toBe(`${stage.core.config.publicUrl}/pay/${link}`);
  });

  it('weighs no more than a page of checkout', async () => {
    const visit = await start();
    const transferred = await countTransfers(visit);
    await visit.open(urlOf(await created(OPEN)));
    await visit.page.waitForLoadState('networkidle');
    const { whole, byKind } = transferred();
    expect(byKind.Document).toBeLessThan(PAGE_LIMIT);
    expect(whole).toBeLessThan(WHOLE_LIMIT);
  });

  it('can be sent by the keyboard alone', async () => {
    const visit = await start();
    await visit.open(urlOf(await created(OPEN)));
    await new CheckoutCustomer(visit).tabTo('#amount');
    await visit.page.keyboard.type('7');
    await visit.page.keyboard.press('Enter');
    await visit.page.waitForURL(/\/checkout\/pi_/);
  });
});
