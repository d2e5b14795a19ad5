import { PAGES } from '../../web/pages';
import { searchSize } from '../levels/search-size';
import { axeViolations, loadedBytes, sidewaysScroll } from './checks';
import { answeredPages, type AnsweredPage } from './dashboard/answered-pages';
import { DASHBOARD_PAGES, lookers } from './dashboard-pages';
import { DashboardStage, type PersonBrowser } from './dashboard-stage';
import { LOG_ROUTE } from './developers-stage';
import { inBrowser } from './in-browser';

/** Neighbours differ in all that may matter, so that few of them find most. */
const LOOKS = [
  { theme: 'light', screen: 'phone', script: true },
  { theme: 'dark', screen: 'desktop', script: true },
  { theme: 'dark', screen: 'phone', script: false },
  { theme: 'light', screen: 'desktop', script: false },
] as const;
const LOOKED_AT = LOOKS.slice(0, searchSize('DASHBOARD_LOOKS', { small: 2, full: LOOKS.length }));
/** Compressed, with script and styles, without the font. */
const WEIGHT_LIMIT = 25_000;
const UNFOLD = 'document.querySelectorAll("details").forEach(each => { each.open = true; })';
/** Buttons that look like the main one of the page, before any question is opened. */
const MAIN_ACTIONS = `[...document.querySelectorAll('main .button.main')].filter(each => each.checkVisibility()).length`;
const START_LIMIT_MS = 60_000;
const LIMIT_MS = 180_000;

inBrowser('the pages of the dashboard', start => {
  let dashboard: DashboardStage;
  let people: Readonly<Record<string, PersonBrowser | null>>;
  let answers: readonly AnsweredPage[];
  const pages: { readonly at: string; readonly as: string }[] = [];

  beforeAll(async () => {
    dashboard = await DashboardStage.open();
    // One after another, since each one-time code is of a later moment than the code before.
    for (const { at, as = 'owner' } of DASHBOARD_PAGES)
      pages.push({ as, at: typeof at === 'string' ? at : await at(dashboard) });
    answers = await answeredPages(dashboard);
    // The last ones, since a sign-in on its way lapses after ten minutes, and each one-time code takes half a minute.
    people = await lookers(dashboard);
  }, START_LIMIT_MS);
  afterAll(() => dashboard.close());

  it('are all known to these tests', () => {
    const served = PAGES.filter(path => path.startsWith('/dashboard') && path !== LOG_ROUTE);
    expect([...new Set(DASHBOARD_PAGES.map(({ route }) => route))].sort()).toEqual([...served].sort());
  });

  it.each(LOOKED_AT)(
    'can be read by everybody: theme $theme, $screen, script $script',
    async look => {
      const visit = await start(look);
      const crowded = new Set<string>();
      for (const { at, as } of pages) {
        await visit.context.clearCookies();
        const secret = people[as]?.secret;
        if (secret !== undefined) await visit.context.addCookies([dashboard.cookie(secret)]);
        expect([at, await visit.open(dashboard.url(at))]).toEqual([at, 200]);
        expect([at, new URL(visit.page.url()).pathname]).toEqual([at, at.split('?', 1)[0]]);
        // Pages without script come through the test, which sends them as they are.
        const weight = look.script ? await loadedBytes(visit.page) : 0;
        expect([at, weight <= WEIGHT_LIMIT]).toEqual([at, true]);
        const mainActions = await visit.page.evaluate<number>(MAIN_ACTIONS);
        if (mainActions > 1) crowded.add(at);
        await visit.page.evaluate(UNFOLD);
        expect([at, await axeViolations(visit.page)]).toStrictEqual([at, []]);
        expect([at, await sidewaysScroll(visit.page)]).toStrictEqual([at, []]);
      }
      expect([...crowded]).toStrictEqual([]);
    },
    LIMIT_MS,
  );

  it.each(LOOKED_AT)(
    'can be read where they answer a form or a fault: theme $theme, $screen, script $script',
    async look => {
      const visit = await start(look);
      await visit.context.addCookies([dashboard.cookie(dashboard.owner.secret)]);
      // One route for all: Chromium may lose requests of a page while interception is switched on or off.
      let shown: AnsweredPage | null = null;
      await visit.context.route('**/*', route =>
        shown !== null && route.request().isNavigationRequest()
          ? route.fulfill({ contentType: 'text/html', body: shown.body })
          : route.fallback(),
      );
      for (const answer of answers) {
        const { name, at } = (shown = answer);
        expect([name, await visit.open(dashboard.url(at))]).toEqual([name, 200]);
        await visit.page.evaluate(UNFOLD);
        expect([name, await axeViolations(visit.page)]).toStrictEqual([name, []]);
        expect([name, await sidewaysScroll(visit.page)]).toStrictEqual([name, []]);
      }
    },
    LIMIT_MS,
  );
});
