import type { Page } from 'playwright-core';
import { CheckoutPage } from '../../web/checkout/checkout.page';
import { pageText } from '../../web/http/page-sender';
import type { CheckoutView } from '../../src/modules/checkout/queries/checkout-view';
import { VIEWS, viewOf } from './checkout-views';
import { sidewaysScroll } from './checks';
import type { FixtureSite } from './fixture-site';
import { inBrowser } from './in-browser';
import { factsIn } from './page-facts';
import { servePages } from './page-site';
import { PAGES } from './rendered-pages';

const LIMIT_MS = 60_000;
const PATH = '/checkout/pi_1';

inBrowser('pages of checkout, as people use them', start => {
  let site: FixtureSite;
  beforeAll(async () => {
    site = await servePages(['en'], PAGES);
  });
  afterAll(() => site.close());

  const urlOf = (name: string) => `${site.origin}/en/${name.replaceAll(' ', '_')}`;

  /** The page as it is when its script asks for it again: each rendering has forms of its own. */
  async function rendersAgain(page: Page, view: CheckoutView): Promise<() => number> {
    let times = 0;
    const answer = () => {
      const formId = String(++times).padStart(32, '0');
      return <CheckoutPage view={view} path={PATH} formId={formId} fault={null} version={`v${times + 1}`} />;
    };
    await page.route(`${site.origin}${PATH}`, route =>
      route.fulfill({ contentType: 'text/html; charset=utf-8', body: pageText(factsIn('en'), answer()) }),
    );
    return () => times;
  }

  it(
    'fit a narrow phone with text of twice the size',
    async () => {
      const visit = await start({ screen: 'phone' });
      for (const name of Object.keys(PAGES)) {
        await visit.open(urlOf(name));
        await visit.page.evaluate('document.documentElement.style.fontSize = "200%"');
        expect([name, await sidewaysScroll(visit.page)]).toStrictEqual([name, []]);
      }
    },
    LIMIT_MS,
  );

  it('show as much of the bar as of the time that is left', async () => {
    const { page } = await opened('awaiting');
    expect(await page.evaluate('document.querySelector("progress").position')).toBeCloseTo(2 / 3, 1);
  });

  it.each([
    ['a refused method', '.note.bad'],
    ['a refused restart', '.note.bad'],
    ['a refused naming', '#tx-hash'],
    ['a refused amount', '#amount'],
    ['a refused link', '.note.bad'],
  ])('lead the focus to the fault: %s', async (name, place) => {
    const { page } = await opened(name);
    // A browser turns to an autofocus with its first frame, which may come after the page has loaded.
    await page.locator(`${place}:focus`).waitFor();
  });

  it('tell the chosen code apart where a theme takes all grounds away', async () => {
    const { page } = await opened('awaiting');
    await page.emulateMedia({ forcedColors: 'active' });
    const outline = (id: string) =>
      page.evaluate(`getComputedStyle(document.querySelector('label[for=${id}]')).outlineStyle`);
    expect([await outline('code-address'), await outline('code-link')]).toEqual(['solid', 'none']);
  });

  it('print dark ink on light paper in the dark theme', async () => {
    const visit = await start({ theme: 'dark' });
    await visit.open(urlOf('receipt'));
    const ink = () => visit.page.evaluate('getComputedStyle(document.querySelector(".facts dd")).color');
    expect(await ink()).toBe('rgb(235, 242, 238)');
    await visit.page.emulateMedia({ media: 'print' });
    expect(await ink()).toBe('rgb(21, 32, 27)');
  });

  it('keep an opened form when they look again', async () => {
    const { page } = await opened('awaiting');
    const asked = await rendersAgain(page, VIEWS.awaiting ?? viewOf({}));
    await page.getByText('I have paid').click();
    await lookAgain(page, asked);
    expect(await page.getByLabel('Transaction hash').isVisible()).toBe(true);
  });

  it('keep a choice that is not sent yet when the prices change', async () => {
    const { page } = await opened('created');
    const view = viewOf({ status: 'created' });
    const dearer = view.offers.map(offer => ({ ...offer, tokenAmount: offer.tokenAmount && '28.01' }));
    await page.getByLabel(/TRON/).check();
    const asked = await rendersAgain(page, { ...view, offers: dearer });
    await lookAgain(page, asked);
    await page.getByText('28.01').first().waitFor();
    expect(await page.getByLabel(/TRON/).isChecked()).toBe(true);
  });

  async function opened(name: string) {
    const visit = await start({ screen: 'phone' });
    await visit.open(urlOf(name));
    return visit;
  }

  /** Without a stream, the page is asked for each five seconds. */
  async function lookAgain(page: Page, asked: () => number): Promise<void> {
    const before = asked();
    while (asked() === before) await page.waitForTimeout(100);
    await page.waitForFunction(`document.body.dataset.pageVersion !== 'v1'`);
  }
});
