import * as h from '../../modules/payment-intents/histories';
import { tellEvents } from '../../support/tell-events';
import { DashboardStage } from '../dashboard-stage';
import { inBrowser } from '../in-browser';
import { stagedPayment } from './staged-payments';

const LIMIT_MS = 60_000;
const TURNS = 5;
/** The time in which an open page follows an event, on a machine without other work. */
const BUDGET_MS = 200;
/** Other tests take the processor as well. */
const BUSY_MACHINE = 10;

inBrowser('an open page of the dashboard', start => {
  let dashboard: DashboardStage;

  beforeAll(async () => {
    dashboard = await DashboardStage.open();
  }, LIMIT_MS);
  afterAll(() => dashboard.close());

  it(
    'follows an event within its time',
    async () => {
      const { stage, merchant, owner } = dashboard;
      const id = await stagedPayment(dashboard, 'confirming');
      const visit = await start();
      await visit.context.addCookies([dashboard.cookie(owner.secret)]);
      await visit.open(dashboard.url(`/dashboard/test/payments/${id}`));
      const shows = (event: number) => visit.page.getByText(`now, event ${event}`).first().waitFor();
      const first = h.HISTORIES.confirming.length - 1;
      await shows(first);
      const facts = { merchant: merchant.id, atMs: stage.clock.now() };
      const tookMs: number[] = [];
      for (let turn = 1; turn <= TURNS; turn++) {
        const before = performance.now();
        await tellEvents(stage.core.store, `test.payment_intent-${id}`, [h.screened(h.PAYER, 'clear')], facts);
        await shows(first + turn);
        tookMs.push(performance.now() - before);
      }
      const median = tookMs.sort((one, other) => one - other)[Math.floor(TURNS / 2)] ?? Infinity;
      console.info(`a page follows an event after ${median.toFixed(0)} ms, the median of ${TURNS}`);
      expect(median).toBeLessThan(BUDGET_MS * BUSY_MACHINE);
    },
    LIMIT_MS,
  );
});
