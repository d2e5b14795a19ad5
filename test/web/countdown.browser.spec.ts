import { eventually } from '../support/service-process';
import { FixtureCheckout } from './fixture-checkout';
import { inBrowser } from './in-browser';

const LIMIT_MS = 15_000;
const TEN_MINUTES_MS = 600_000;
/** The server's clock, which no other clock needs to agree with. */
const NOW_MS = 1_750_000_000_000;

const timer = (leftMs: number, more = '') =>
  `<h1>Pay</h1><section id="state" data-live>${more}<span role="timer" data-ends="${NOW_MS + leftMs}"
  data-now="${NOW_MS}">?</span><progress aria-label="Time left" data-countdown max="900" value="0"></progress></section>`;

inBrowser('the countdown', start => {
  let checkout: FixtureCheckout;

  beforeAll(async () => {
    checkout = await FixtureCheckout.start();
  });
  beforeEach(() => checkout.reset());
  afterAll(() => checkout.site.close());

  async function visited(main: string, clockWrongByMs = 0) {
    checkout.main = () => main;
    const visit = await start({ clockWrongByMs });
    await visit.open(checkout.url);
    return visit;
  }

  const seconds = (text: string | null) => {
    const [minutes, rest] = (text ?? '').split(':').map(Number);
    return (minutes ?? 0) * 60 + (rest ?? 0);
  };

  it.each([-TEN_MINUTES_MS, 0, TEN_MINUTES_MS])(
    'is right under a clock of the customer that is wrong by %i ms',
    async wrongByMs => {
      const before = performance.now();
      const { page } = await visited(timer(TEN_MINUTES_MS), wrongByMs);
      await page.locator('[role=timer]', { hasText: ':' }).waitFor();
      const shown = seconds(await page.textContent('[role=timer]'));
      const leastLeft = (TEN_MINUTES_MS - (performance.now() - before)) / 1000;
      expect(shown).toBeGreaterThanOrEqual(Math.floor(leastLeft));
      expect(shown).toBeLessThanOrEqual(TEN_MINUTES_MS / 1000);
      expect(Math.abs(shown - Number(await page.getAttribute('[role=timer] + progress', 'value')))).toBeLessThanOrEqual(
        1,
      );
    },
  );

  it('goes on after a swap, and writes hours', async () => {
    const { page } = await visited(timer(TEN_MINUTES_MS));
    checkout.change(timer(24 * 3_600_000, 'more '));
    await page.locator('#state', { hasText: 'more' }).waitFor();
    await page.locator('[role=timer]', { hasText: '23:59:5' }).waitFor();
  });

  it('is set right by each answer, though nothing else has changed', async () => {
    const { page } = await visited(timer(TEN_MINUTES_MS));
    await eventually('the stream', LIMIT_MS, () => checkout.openStreams || null);
    // As long as the end is the same, a later server's time leaves less.
    checkout.change(timer(TEN_MINUTES_MS).replace(`data-now="${NOW_MS}"`, `data-now="${NOW_MS + 480_000}"`));
    await page.locator('[role=timer]', { hasText: /^[12]:/ }).waitFor();
  });

  it('is set right when a dropped stream comes back, as after a sleep that no clock of the page counted', async () => {
    const visit = await visited(timer(TEN_MINUTES_MS));
    await eventually('the stream', LIMIT_MS, () => checkout.openStreams || null);
    checkout.main = () => timer(TEN_MINUTES_MS).replace(`data-now="${NOW_MS}"`, `data-now="${NOW_MS + 480_000}"`);
    checkout.dropStreams();
    await visit.page.locator('[role=timer]', { hasText: /^[12]:/ }).waitFor();
    // The browser itself tells of the broken connection.
    visit.takeFaults();
  });

  it('asks for the page at its end', async () => {
    const { page } = await visited(timer(1_000));
    await page.locator('[role=timer]', { hasText: /^0:00$/ }).waitFor();
    await eventually('the page', LIMIT_MS, () => checkout.pageRequests >= 2 || null);
  });

  it('asks five times at most, whatever the page says', async () => {
    const { page } = await visited(timer(-TEN_MINUTES_MS));
    await page.evaluate(`new Promise(resolve => {
      let ticks = 0;
      setInterval(() => (ticks += 1) === 10 && resolve(), 500);
    })`);
    expect(checkout.pageRequests).toBeGreaterThan(1);
    expect(checkout.pageRequests).toBeLessThanOrEqual(6);
  });
});

inBrowser('what scripts add', start => {
  let checkout: FixtureCheckout;
  const main = `<h1>Pay</h1><section id="state" data-live>
    <button type="button" hidden data-copy="12.340017" data-copied="Copied"><b>icon</b><span data-label>Copy</span></button>
    <p data-scripted hidden>with script</p><p data-unscripted>without script</p></section>`;

  beforeAll(async () => {
    checkout = await FixtureCheckout.start();
    checkout.main = () => main;
  });
  afterAll(() => checkout.site.close());

  it('copies by the clipboard, says so, and shows it for a while', async () => {
    const visit = await start();
    await visit.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await visit.open(checkout.url);
    await visit.page.click('[data-copy]');
    await visit.page.locator('[data-copy]', { hasText: 'iconCopied' }).waitFor();
    await visit.page.click('[data-copy]');
    expect(await visit.page.textContent('#said')).toBe('Copied');
    expect(await visit.page.evaluate('navigator.clipboard.readText()')).toBe('12.340017');
    await visit.page.locator('[data-label]', { hasText: /^Copy$/ }).waitFor();
  });

  it('copies a selection where the clipboard is refused', async () => {
    const visit = await start();
    await visit.page.addInitScript('navigator.clipboard.writeText = () => Promise.reject(new Error("no"))');
    await visit.open(checkout.url);
    await visit.page.evaluate('addEventListener("copy", () => { document.title = String(getSelection()) })');
    await visit.page.getByRole('button', { name: 'Copy' }).click();
    await visit.page.locator('#said', { hasText: /^Copied$/ }).waitFor();
    expect(await visit.page.title()).toBe('12.340017');
    expect(await visit.page.evaluate('document.activeElement.dataset.copy')).toBe('12.340017');
    expect(await visit.page.locator('textarea').count()).toBe(0);
  });

  it('shows parts that need it, and hides those that do without', async () => {
    const visit = await start();
    await visit.open(checkout.url);
    expect(await visit.page.isVisible('[data-scripted]')).toBe(true);
    expect(await visit.page.isVisible('[data-unscripted]')).toBe(false);
  });
});
