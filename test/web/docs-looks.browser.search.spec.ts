import { PAGES } from '../../web/pages';
import { searchSize } from '../levels/search-size';
import { axeViolations, sidewaysScroll } from './checks';
import { DevelopersStage, DEVELOPERS_PAGES, DOCS_ROUTES, LOG_ROUTE } from './developers-stage';
import { inBrowser } from './in-browser';
import { itemsUnder } from './looks-in-turn';
import { PAGES as CHECKOUT_PAGES } from './rendered-pages';

/** The pages of checkout by their route, each with one of its names in `rendered-pages.tsx`, where all are listed. */
const CHECKOUT_ROUTES: Readonly<Record<string, string>> = {
  '/checkout/{id}': 'awaiting',
  '/checkout/{id}/claims/{claim}': 'a claim that waits',
  '/checkout/{id}/receipt': 'receipt',
  '/pay/{id}': 'an open link',
  '/invoices/{id}': 'an open invoice',
};
/** Neighbours differ in all that may matter, so that few of them find most. */
const LOOKS = [
  { theme: 'light', screen: 'phone', script: true, isUnfolded: false },
  { theme: 'dark', screen: 'desktop', script: true, isUnfolded: true },
  { theme: 'dark', screen: 'phone', script: false, isUnfolded: false },
  { theme: 'light', screen: 'desktop', script: true, isUnfolded: true },
  { theme: 'dark', screen: 'phone', script: true, isUnfolded: false },
  { theme: 'light', screen: 'phone', script: false, isUnfolded: false },
] as const;
/** Pages under each look. */
const COUNT = searchSize('DOCS_LOOKS', { small: 1, full: 1_000 });
const UNFOLD = 'document.querySelectorAll("details").forEach(each => { each.open = true; })';
const START_LIMIT_MS = 60_000;
const LIMIT_MS = 120_000;

inBrowser('the pages of developers, and faults', start => {
  let stage: DevelopersStage;

  beforeAll(async () => {
    stage = await DevelopersStage.open();
  }, START_LIMIT_MS);
  afterAll(() => stage.close());

  it('are all known to these tests', () => {
    const known = [...Object.keys(DOCS_ROUTES), LOG_ROUTE, ...Object.keys(CHECKOUT_ROUTES)];
    const signedIn = PAGES.filter(path => /^\/(?:dashboard|console)(?:\/|$)/.test(path) && path !== LOG_ROUTE);
    expect([...PAGES].sort()).toEqual([...known, ...signedIn].sort());
    for (const name of Object.values(CHECKOUT_ROUTES)) expect(CHECKOUT_PAGES).toHaveProperty([name]);
  });

  it.each(LOOKS)(
    'can be read by everybody: theme $theme, $screen, script $script, unfolded $isUnfolded',
    async look => {
      const visit = await start(look);
      const pages = itemsUnder(Object.entries(DEVELOPERS_PAGES), { looks: LOOKS, look, count: COUNT });
      for (const [at, status] of pages) {
        const { url, headers } = stage.request(at);
        await visit.page.setExtraHTTPHeaders(headers);
        expect([at, await visit.open(url)]).toEqual([at, status]);
        if (look.isUnfolded) await visit.page.evaluate(UNFOLD);
        expect([at, await axeViolations(visit.page)]).toStrictEqual([at, []]);
        expect([at, await sidewaysScroll(visit.page)]).toStrictEqual([at, []]);
      }
      // A browser tells of each answer that is an error.
      const told = visit.takeFaults().filter(fault => !/the server responded with a status of 40[04]/.test(fault));
      expect(told).toEqual([]);
    },
    LIMIT_MS,
  );
});
