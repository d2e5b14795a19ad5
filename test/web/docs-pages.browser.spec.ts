import { ApiStage, type ApiInstance } from '../support/api-stage';
import { eventually } from '../support/service-process';
import { inBrowser } from './in-browser';
import { countTransfers } from './transferred';

/** Without a key, a browser is told how to read the log. */
const GUIDE_OF_LOGS = '/dashboard/requests/req_00000000000000000000000000';
/** An operation's page, its script and its style, as they come over the wire. */
const WEIGHT_LIMIT = 25_000;
const START_LIMIT_MS = 60_000;

inBrowser('the pages of developers', start => {
  let stage: ApiStage;
  let instance: ApiInstance;
  let key: string;

  beforeAll(async () => {
    stage = await ApiStage.open();
    instance = await stage.startInstance();
    const merchant = await stage.register(instance, { isChecked: false });
    key = merchant.registered.keys.test;
  }, START_LIMIT_MS);
  afterAll(() => stage.close());

  const urlOf = (at: string): string => `http://127.0.0.1:${instance.port}${at}`;

  it('send an operation, and show its answer', async () => {
    const visit = await start();
    await visit.open(urlOf('/docs/operations/createPaymentIntent'));
    await visit.page.getByLabel('API key').fill(key);
    await visit.page.getByRole('button', { name: 'Send' }).click();
    await visit.page.getByText('POST /v1/payment_intents\n200').waitFor();
    expect(await visit.page.textContent('output')).toContain('"status": "created"');
    expect(visit.page.url()).not.toContain('?');
  });

  it('show no form without script', async () => {
    const visit = await start({ script: false });
    await visit.open(urlOf('/docs/operations/createPaymentIntent'));
    expect(await visit.page.getByRole('button', { name: 'Send' }).isVisible()).toBe(false);
    expect(await visit.page.getByText('This form needs a browser with script.').isVisible()).toBe(true);
  });

  it('copy a block of code', async () => {
    const visit = await start();
    await visit.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await visit.open(urlOf(GUIDE_OF_LOGS));
    await visit.page.getByRole('button', { name: 'Copy: Shell' }).click();
    await visit.page.locator('#said', { hasText: 'Copied' }).waitFor({ state: 'attached' });
    expect(await visit.page.evaluate('navigator.clipboard.readText()')).toMatch(
      /^curl -H "Authorization: Bearer \$KEY"/,
    );
  });

  it('scroll tables and code by keyboard, inside of themselves', async () => {
    const visit = await start({ screen: 'phone' });
    await visit.open(urlOf('/docs/webhooks'));
    const wide = '[...document.querySelectorAll(\'[tabindex="0"]\')].find(e => e.scrollWidth > e.clientWidth)';
    await visit.page.evaluate(`${wide}.focus()`);
    await visit.page.keyboard.press('ArrowRight');
    const scrolled = () => visit.page.evaluate<number>('document.activeElement.scrollLeft');
    await eventually('the focused part scrolls', 5_000, async () => ((await scrolled()) > 0 ? true : null));
  });

  it(`weigh ${WEIGHT_LIMIT} bytes at most`, async () => {
    for (const at of ['/docs/operations/createPaymentIntent', '/docs/operations/getPaymentIntent', '/docs/webhooks']) {
      const visit = await start();
      const transferred = await countTransfers(visit);
      await visit.open(urlOf(at));
      const { whole } = transferred();
      expect(whole).toBeLessThanOrEqual(WEIGHT_LIMIT);
    }
  });
});
