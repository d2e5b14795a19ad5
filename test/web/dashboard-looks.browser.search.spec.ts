import { PAGES } from '../../web/pages';
import { searchSize } from '../levels/search-size';
import { answeredPages } from './dashboard/answered-pages';
import { DASHBOARD_PAGES, lookers } from './dashboard-pages';
import { DashboardStage, type PersonBrowser } from './dashboard-stage';
import { LOG_ROUTE } from './developers-stage';
import { inBrowser } from './in-browser';
import { itemsUnder } from './looks-in-turn';
import { expectAnswersReadable, expectReadable, LOOKS, type AnsweredPage } from './readable-pages';
import type { Visit } from './visit';

/** Looks of each page and answer. */
const TIMES = searchSize('DASHBOARD_LOOKS', { small: 1, full: LOOKS.length });
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

  async function become(visit: Visit, person: string): Promise<void> {
    await visit.context.clearCookies();
    const secret = people[person]?.secret;
    if (secret !== undefined) await visit.context.addCookies([dashboard.cookie(secret)]);
  }
  const under = <Item>(items: readonly Item[], look: (typeof LOOKS)[number]): readonly Item[] =>
    itemsUnder(items, { looks: LOOKS, look, times: TIMES });
  const url = (path: string) => dashboard.url(path);

  it('are all known to these tests', () => {
    const served = PAGES.filter(path => path.startsWith('/dashboard') && path !== LOG_ROUTE);
    expect([...new Set(DASHBOARD_PAGES.map(({ route }) => route))].sort()).toEqual([...served].sort());
  });

  it.each(LOOKS)(
    'can be read by everybody: theme $theme, $screen, script $script',
    async look => expectReadable(await start(look), { url, become }, under(pages, look), look),
    LIMIT_MS,
  );

  it.each(LOOKS)(
    'can be read where they answer a form or a fault: theme $theme, $screen, script $script',
    async look => {
      const visit = await start(look);
      await become(visit, 'owner');
      await expectAnswersReadable(visit, { url }, under(answers, look));
    },
    LIMIT_MS,
  );
});
