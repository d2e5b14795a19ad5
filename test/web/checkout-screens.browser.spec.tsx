import { readQr } from './checks';
import { ADDRESS, PAY_URI } from './checkout-views';
import type { FixtureSite } from './fixture-site';
import { inBrowser } from './in-browser';
import { servePages } from './page-site';
import { PAGES } from './rendered-pages';

/** One language for each direction of writing. */
const LANGUAGES = ['en', 'ar'] as const;

inBrowser('a page of checkout', start => {
  let site: FixtureSite;
  beforeAll(async () => {
    site = await servePages(LANGUAGES, PAGES);
  });
  afterAll(() => site.close());

  const urlOf = (code: string, name: string) => `${site.origin}/${code}/${name.replaceAll(' ', '_')}`;

  it.each(LANGUAGES)('shows codes that are read back exactly, in %s', async lang => {
    const visit = await start({ lang });
    await visit.open(urlOf(lang, 'awaiting'));
    expect(await readQr(visit.page.locator('.of-address svg'))).toBe(ADDRESS);
    await visit.page.locator('label[for=code-link]').click();
    expect(await readQr(visit.page.locator('.of-link svg'))).toBe(PAY_URI);
  });

  it('lets a selection copy the address and the amount without a break', async () => {
    const visit = await start();
    await visit.open(urlOf('en', 'awaiting'));
    for (const [place, text] of [
      ['.address', ADDRESS],
      ['.token-amount .digits', '27.153040'],
    ] as const) {
      const selected = await visit.page.evaluate<string>(
        `getSelection().selectAllChildren(document.querySelector(${JSON.stringify(place)})), getSelection().toString()`,
      );
      expect(selected).toBe(text);
    }
  });
});
