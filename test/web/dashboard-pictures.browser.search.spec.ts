import { PICTURED, picturedPages } from './dashboard/pictured-pages';
import { lookers } from './dashboard-pages';
import { DashboardStage } from './dashboard-stage';
import { picturesOf } from './realm-pages';

picturesOf('dashboard', PICTURED, async () => {
  const stage = await DashboardStage.open();
  const pages = await picturedPages(stage);
  return { stage, pages, people: await lookers(stage) };
});
