import { searchSize } from '../levels/search-size';
import { axeViolations, sidewaysScroll } from './checks';
import type { FixtureSite } from './fixture-site';
import { inBrowser } from './in-browser';
import { itemsUnder } from './looks-in-turn';
import { servePages } from './page-site';
import { PAGES } from './rendered-pages';

const NAMES = Object.keys(PAGES);
/** One language for each direction of writing. */
const LANGUAGES = ['en', 'ar'] as const;
/** Neighbours differ in all that may matter, so that few of them find most. */
const LOOKS = [
  { theme: 'light', lang: 'en', script: true },
  { theme: 'dark', lang: 'ar', script: false },
  { theme: 'light', lang: 'ar', script: true },
  { theme: 'dark', lang: 'en', script: false },
  { theme: 'light', lang: 'en', script: false },
  { theme: 'dark', lang: 'ar', script: true },
  { theme: 'light', lang: 'ar', script: false },
  { theme: 'dark', lang: 'en', script: true },
] as const;
/** Pages under each look. */
const COUNT = searchSize('CHECKOUT_LOOKS', { small: 1, full: 1_000 });
const LIMIT_MS = 120_000;

inBrowser('every page of checkout', start => {
  let site: FixtureSite;
  beforeAll(async () => {
    site = await servePages(LANGUAGES, PAGES);
  });
  afterAll(() => site.close());

  it.each(LOOKS)(
    'can be read by everybody on a phone: theme $theme, language $lang, script $script',
    async look => {
      const visit = await start({ ...look, screen: 'phone' });
      for (const name of itemsUnder(NAMES, { looks: LOOKS, look, count: COUNT })) {
        expect(await visit.open(`${site.origin}/${look.lang}/${name.replaceAll(' ', '_')}`)).toBe(200);
        expect([name, await axeViolations(visit.page)]).toStrictEqual([name, []]);
        expect([name, await sidewaysScroll(visit.page)]).toStrictEqual([name, []]);
      }
    },
    LIMIT_MS,
  );
});
