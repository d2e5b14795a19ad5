import type { Page } from 'playwright-core';
import { PAYER } from '../../modules/payment-intents/histories';
import { ConsoleStage, type AdminBrowser } from '../console-stage';
import { inBrowser } from '../in-browser';
import type { Visit } from '../visit';
import { settlingOf } from './settling';
import { deepPayment } from './staged-console';

const LIMIT_MS = 60_000;
const REASON =
  `A namesake: the passport shows another birthday. ${'Three papers of the payer agree on that. '.repeat(4)}`.trim();
const NARROWEST = { width: 320, height: 640 };

inBrowser('two administrators', start => {
  let stage: ConsoleStage;

  beforeAll(async () => {
    stage = await ConsoleStage.open();
    stage.stage.follow();
  }, LIMIT_MS);
  afterAll(() => stage.close());

  /** A window of the console, in which the administrator is signed in. */
  async function windowOf(browser: AdminBrowser): Promise<Visit> {
    const visit = await start();
    await visit.context.addCookies([stage.cookie(browser.secret)]);
    await visit.open(stage.url('/console'));
    return visit;
  }

  const click = (page: Page, role: 'link' | 'button', name: string) =>
    page.getByRole(role, { name, exact: true }).click();

  /** The texts that the narrowest screen does not show in their whole width. */
  async function cutTexts(page: Page): Promise<readonly string[]> {
    const wide = page.viewportSize() ?? NARROWEST;
    await page.setViewportSize(NARROWEST);
    const cut = await page
      .locator('main, main dd, main pre, main .scroller')
      .evaluateAll(parts =>
        parts
          .filter(({ scrollWidth, clientWidth }) => clientWidth > 0 && scrollWidth > clientWidth)
          .map(({ textContent }) => textContent),
      );
    await page.setViewportSize(wide);
    return cut;
  }

  it(
    'release the payment of a sanctioned payer by pages alone, and the payment is confirmed',
    async () => {
      const payment = await deepPayment(stage);
      const settle = settlingOf(stage);
      const [sue, ben] = [await stage.admin('support', 'sue'), await stage.admin('compliance', 'ben')];

      const { page: deciding } = await windowOf(ben);
      await click(deciding, 'link', 'Sanctions');
      await click(deciding, 'link', 'Add an address');
      await deciding.getByLabel('Address').fill(PAYER);
      await deciding.getByLabel('Network').selectOption('base');
      await deciding.getByLabel('Source of the list').fill('ofac-sdn');
      await deciding.getByLabel('Reference').fill('12345');
      await click(deciding, 'button', 'Go on');
      await click(deciding, 'button', 'Do this now');
      await deciding.getByText(PAYER).first().waitFor();
      await settle(payment);

      const { page: proposing } = await windowOf(sue);
      await proposing.getByRole('link', { name: 'Held payments' }).click();
      await proposing.locator('.row-link').click();
      await click(proposing, 'link', 'Release');
      await proposing.getByLabel('Reason').fill(REASON);
      await click(proposing, 'button', 'Go on');
      await proposing.getByText('A released payer is never held for this payment again').waitFor();
      await proposing.getByText('Another administrator approves this and carries it out.').waitFor();
      expect(await cutTexts(proposing)).toStrictEqual([]);
      await click(proposing, 'button', 'Propose this');
      await proposing.getByText('Another administrator decides.').waitFor();

      await click(deciding, 'link', 'Home');
      await deciding.getByRole('link', { name: 'Proposals to decide' }).click();
      await deciding.locator('.row-link').click();
      await deciding.getByText(`"reason": "${REASON}"`).waitFor();
      expect(await cutTexts(deciding)).toStrictEqual([]);
      await deciding.locator('#approve > summary').click();
      await deciding.locator('#approve').getByLabel('Note').fill('Seen the passport.');
      await deciding.locator('#approve').getByLabel('Code of your authenticator').fill(ben.code());
      await deciding.locator('#approve button').click();
      // The proposer’s open page hears of it.
      await proposing.getByText('Approved').first().waitFor();
      await proposing.getByText('The administrator who approved this carries it out.').waitFor();

      await click(deciding, 'link', 'Home');
      await deciding.getByRole('link', { name: 'Approved proposals to carry out' }).click();
      await deciding.locator('.row-link').click();
      await deciding.locator('#carry-out > summary').click();
      await deciding.locator('#carry-out').getByLabel('Code of your authenticator').fill(ben.code());
      await deciding.locator('#carry-out button').click();
      await deciding.getByText('Executed').first().waitFor();
      await proposing.getByText('Executed').first().waitFor();

      await click(deciding, 'link', 'Holds');
      await deciding.locator('.row-link').click();
      await deciding.locator('#hold', { hasText: 'Released' }).waitFor();
      await settle(payment);
      await deciding.locator('#payment', { hasText: 'Confirmed' }).waitFor();
    },
    LIMIT_MS,
  );
});
