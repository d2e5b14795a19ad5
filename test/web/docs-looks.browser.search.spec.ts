import { PAGES } from '../../web/pages';
import { searchSize } from '../levels/search-size';
import { axeViolations, sidewaysScroll } from './checks';
import { DevelopersStage, DEVELOPERS_PAGES, DOCS_ROUTES, LOG_ROUTE } from './developers-stage';
import { inBrowser } from './in-browser';
import { itemsWithLooks } from './looks-in-turn';
import { UNFOLD } from './readable-pages';
import { PAGES as CHECKOUT_PAGES } from './rendered-pages';
import type { Look, Visit } from './visit';

/** The pages of checkout by their route, each with one of its names in `rendered-pages.tsx`, where all are listed. */
const CHECKOUT_ROUTES: Readonly<Record<string, string>> = {
  '/checkout/{id}': 'awaiting',
  '/checkout/{id}/claims/{claim}': 'a naming that waits',
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
/** The looks that show the same markup, which is loaded once for all of them: no page asks for its theme or screen. */
const LOOKS_BY_SCRIPT = [true, false].map(script => ({
  script,
  // A folded page can be unfolded.
  looks: LOOKS.filter(look => look.script === script).sort((one, other) => +one.isUnfolded - +other.isUnfolded),
}));
/** Pages under each look. */
const COUNT = searchSize('DOCS_LOOKS', { small: 1, full: 1_000 });
const START_LIMIT_MS = 60_000;
const LIMIT_MS = 240_000;

const tests = (start: (look: Look) => Promise<Visit>): void => {
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

  it.each(LOOKS_BY_SCRIPT)(
    'can be read by everybody in each theme, on each screen, folded and unfolded: script $script',
    async ({ script, looks }) => {
      const visit = await start({ script });
      const pages = itemsWithLooks(Object.entries(DEVELOPERS_PAGES), { looks: LOOKS, group: looks, count: COUNT });
      for (const {
        item: [at, status],
        under,
      } of pages) {
        const { url, headers } = stage.request(at);
        await visit.page.setExtraHTTPHeaders(headers);
        expect([at, await visit.open(url)]).toEqual([at, status]);
        for (const look of under) {
          await visit.turn(look);
          if (look.isUnfolded) await visit.page.evaluate(UNFOLD);
          const seen = `${at}, ${look.theme}, ${look.screen}, ${look.isUnfolded ? 'unfolded' : 'folded'}`;
          expect([seen, await axeViolations(visit.page)]).toStrictEqual([seen, []]);
          expect([seen, await sidewaysScroll(visit.page)]).toStrictEqual([seen, []]);
        }
      }
      // A browser tells of each answer that is an error.
      const told = visit.takeFaults().filter(fault => !/the server responded with a status of 40[04]/.test(fault));
      expect(told).toEqual([]);
    },
    LIMIT_MS,
  );
};

inBrowser('the pages of developers, and faults', tests, { isBrief: true });
