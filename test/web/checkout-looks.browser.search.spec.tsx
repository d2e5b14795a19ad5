import { searchSize } from '../levels/search-size';
import { axeViolations, sidewaysScroll } from './checks';
import type { FixtureSite } from './fixture-site';
import { inBrowser } from './in-browser';
import { itemsWithLooks } from './looks-in-turn';
import { servePages } from './page-site';
import { PAGES } from './rendered-pages';
import type { Look, Visit } from './visit';

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
/** The looks that show the same markup, which is loaded once for both themes: no page asks for its theme. */
const LOADED = LANGUAGES.flatMap(lang =>
  [true, false].map(script => ({
    lang,
    script,
    looks: LOOKS.filter(look => look.lang === lang && look.script === script),
  })),
);
/** Pages under each look. */
const COUNT = searchSize('CHECKOUT_LOOKS', { small: 1, full: 1_000 });
const LIMIT_MS = 240_000;

const tests = (start: (look: Look) => Promise<Visit>): void => {
  let site: FixtureSite;
  beforeAll(async () => {
    site = await servePages(LANGUAGES, PAGES);
  });
  afterAll(() => site.close());

  it.each(LOADED)(
    'can be read by everybody on a phone, in each theme: language $lang, script $script',
    async ({ lang, script, looks }) => {
      const visit = await start({ lang, script, screen: 'phone' });
      for (const { item: name, under } of itemsWithLooks(NAMES, { looks: LOOKS, group: looks, count: COUNT })) {
        expect(await visit.open(`${site.origin}/${lang}/${name.replaceAll(' ', '_')}`)).toBe(200);
        for (const { theme } of visit.fromPresent(under)) {
          await visit.turn({ theme });
          expect([name, theme, await axeViolations(visit.page)]).toStrictEqual([name, theme, []]);
          expect([name, theme, await sidewaysScroll(visit.page)]).toStrictEqual([name, theme, []]);
        }
      }
    },
    LIMIT_MS,
  );
};

inBrowser('every page of checkout', tests, { isBrief: true });
