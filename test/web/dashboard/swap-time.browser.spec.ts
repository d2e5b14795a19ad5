import * as h from '../../modules/payment-intents/histories';
import { tellEvents } from '../../support/tell-events';
import { DashboardStage } from '../dashboard-stage';
import { inBrowser } from '../in-browser';
import { stagedPayment } from './staged-payments';

const LIMIT_MS = 60_000;
const TURNS = 9;
/** The time in which an open page follows an event. */
const BUDGET_MS = 200;
/** Where other tests take the processor, a turn takes as long as so many plain requests of the page beside it. */
const REQUESTS = 6;

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
      // Asked in the page at each frame: a locator asks some five times in a second.
      const shows = (event: number) =>
        visit.page.waitForFunction(text => document.body.textContent?.includes(text), `now, event ${event}`);
      const first = h.HISTORIES.confirming.length - 1;
      await shows(first);
      const facts = { merchant: merchant.id, atMs: stage.clock.now() };
      const [tookMs, requestMs]: [number[], number[]] = [[], []];
      const request = () =>
        visit.page.evaluate(async () => {
          const before = performance.now();
          await (await fetch(location.href, { cache: 'no-store' })).text();
          return performance.now() - before;
        });
      for (let turn = 1; turn <= TURNS; turn++) {
        const before = performance.now();
        await tellEvents(stage.core.store, `test.payment_intent-${id}`, [h.screened(h.PAYER, 'clear')], facts);
        await shows(first + turn);
        tookMs.push(performance.now() - before);
        requestMs.push(await request());
      }
      const [took, plain] = [median(tookMs), median(requestMs)];
      console.info(`a page follows an event after ${took.toFixed(0)} ms, a plain request: ${plain.toFixed(0)} ms`);
      expect(took).toBeLessThan(Math.max(BUDGET_MS, REQUESTS * plain));
    },
    LIMIT_MS,
  );
});

function median(numbers: readonly number[]): number {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? Infinity;
}
