import { routesOfController } from '../../../src/platform/http/openapi-routes';
import { DASHBOARD_CONTROLLERS } from '../../../web/dashboard/controllers';
import { DASHBOARD_PAGES, lookers } from '../dashboard-pages';
import { DashboardStage } from '../dashboard-stage';
import type { FormBrowser } from '../form-browser';
import { refusalsOf } from '../refusals';

const LIMIT_MS = 60_000;
const PLACE = '/dashboard';

let dashboard: DashboardStage;

beforeAll(async () => {
  dashboard = await DashboardStage.open();
}, LIMIT_MS);
afterAll(() => dashboard.close());

/** An address of the route, where nothing is looked up by it. */
const anyOf = (route: string): string => route.replace('{mode}', 'test').replaceAll(/\{\w+\}/g, 'none');

it('leads from the address of a form, reloaded, to the page of the form', async () => {
  const routes = DASHBOARD_CONTROLLERS.flatMap(routesOfController);
  const pages = new Set(DASHBOARD_PAGES.map(({ route }) => route));
  const shown = routes.filter(({ method }) => method === 'get').map(({ path }) => path);
  const forms = routes.map(({ path }) => path).filter(path => !shown.includes(path));
  const pageOf = (path: string): string => {
    const above = path.slice(0, path.lastIndexOf('/'));
    if (above === '') return PLACE;
    return pages.has(above) ? above : pageOf(above);
  };
  const led: [route: string, status: number, location: string | undefined][] = [];
  for (const route of new Set(forms)) {
    const { status, headers } = await dashboard.owner.open(anyOf(route));
    led.push([route, status, headers.location]);
  }
  expect(led).toStrictEqual([...new Set(forms)].map(route => [route, 303, anyOf(pageOf(route))]));
  expect(led.length).toBeGreaterThan(40);
});

it(
  'shows each page to its reader',
  async () => {
    const paths: (readonly [path: string, as: string])[] = [];
    for (const { at, as = 'owner' } of DASHBOARD_PAGES)
      paths.push([typeof at === 'string' ? at : await at(dashboard), as]);
    const readers: Readonly<Record<string, FormBrowser | null>> = await lookers(dashboard);
    const refused: string[] = [];
    for (const [path, as] of paths) {
      const reply = await (readers[as] ?? dashboard.owner.another()).open(path);
      refused.push(...refusalsOf(path, reply));
      if (reply.status === 303) refused.push(`${path} leads to ${reply.headers.location}`);
    }
    expect(refused).toEqual([]);
  },
  LIMIT_MS,
);
