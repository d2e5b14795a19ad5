import { PAGES } from '../../web/pages';
import { answeredPages } from './dashboard/answered-pages';
import { DASHBOARD_PAGES, lookers } from './dashboard-pages';
import { DashboardStage } from './dashboard-stage';
import { LOG_ROUTE } from './developers-stage';
import { looksOf } from './realm-pages';

const LOOKS = {
  variable: 'DASHBOARD_LOOKS',
  served: PAGES.filter(path => path.startsWith('/dashboard') && path !== LOG_ROUTE),
  routes: DASHBOARD_PAGES.map(({ route }) => route),
};

looksOf('dashboard', LOOKS, async () => {
  const stage = await DashboardStage.open();
  const pages: { readonly at: string; readonly as: string }[] = [];
  // One after another, since each one-time code is of a later moment than the code before.
  for (const { at, as = 'owner' } of DASHBOARD_PAGES)
    pages.push({ as, at: typeof at === 'string' ? at : await at(stage) });
  const answers = await answeredPages(stage);
  // The last ones, since a sign-in on its way lapses after ten minutes, and each one-time code takes half a minute.
  return { stage, pages, answers, people: await lookers(stage) };
});
