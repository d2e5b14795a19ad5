import * as h from '../../modules/payment-intents/histories';
import { tellEvents } from '../../support/tell-events';
import { DashboardStage } from '../dashboard-stage';
import { inBrowser } from '../in-browser';
import { stagedPayment } from './staged-payments';

const LIMIT_MS = 60_000;
const SWAP_LIMIT_MS = 10_000;

inBrowser('a payment in the dashboard', start => {
  let dashboard: DashboardStage;

  beforeAll(async () => {
    dashboard = await DashboardStage.open();
  }, LIMIT_MS);
  afterAll(() => dashboard.close());

  it(
    'follows what happens, the slider and the search, without a button',
    async () => {
      const { stage, merchant, owner } = dashboard;
      const id = await stagedPayment(dashboard, 'confirming');
      const visit = await start();
      const { page } = visit;
      const shows = (text: string) => page.getByText(text).first().waitFor({ timeout: SWAP_LIMIT_MS });
      await visit.context.addCookies([dashboard.cookie(owner.secret)]);
      await visit.open(dashboard.url(`/dashboard/test/payments/${id}`));
      await shows('now, event 3');
      const facts = { merchant: merchant.id, atMs: stage.clock.now() };
      await tellEvents(stage.core.store, `test.payment_intent-${id}`, [h.screened(h.PAYER, 'clear')], facts);
      await shows('Payer cleared');
      await page.focus('#as-of');
      await page.keyboard.press('ArrowLeft');
      await page.keyboard.press('ArrowLeft');
      await shows('event 2 of 4');
      expect(new URL(page.url()).search).toBe('?as_of=2');
      await visit.open(dashboard.url('/dashboard/test/payments'));
      await page.fill('[name=search]', 'order=43');
      await shows('No payment passes these filters');
      await page.fill('[name=search]', 'order=42');
      await shows('Newest first, 1 shown');
      expect(new URL(page.url()).search).toBe('?search=order%3D42');
    },
    LIMIT_MS,
  );
});
