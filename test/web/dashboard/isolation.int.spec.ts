import type { Reply } from '../../support/http-caller';
import { routesOfController } from '../../../src/platform/http/openapi-routes';
import { DASHBOARD_CONTROLLERS } from '../../../web/dashboard/controllers';
import { DashboardStage, type PersonBrowser } from '../dashboard-stage';
import { beginKyb } from './account-stage';
import { ISOLATION_ROWS, type IsolationRow } from './isolation-rows';

const LIMIT_MS = 60_000;
const MODE = '/dashboard/{mode}/';

let dashboard: DashboardStage;
let stranger: PersonBrowser;

beforeAll(async () => {
  dashboard = await DashboardStage.open();
  stranger = await dashboard.stranger();
  await beginKyb(dashboard, stranger);
}, LIMIT_MS);
afterAll(() => dashboard.close());

const name = ({ method, route }: Pick<IsolationRow, 'method' | 'route'>) => `${method} ${route}`;

it('knows every route that names an object', () => {
  const routes = DASHBOARD_CONTROLLERS.flatMap(routesOfController)
    .map(({ method, path }) => ({ method: method.toUpperCase() as 'GET', route: path }))
    .filter(({ route }) => route.startsWith(MODE) && /\{\w+\}/.test(route.slice(MODE.length)));
  expect(ISOLATION_ROWS.map(name).sort()).toStrictEqual(routes.map(name).sort());
});

it.each(ISOLATION_ROWS.map(row => [name(row), row] as const))(
  'answers for another’s object as for none: %s',
  async (_, row) => {
    const id = await row.object(dashboard);
    const { status = 404 } = row;
    expect(id).toMatch(/^\w+$/);
    const [missing, foreign] = [await ask(stranger, row, row.unknown, 'test'), await ask(stranger, row, id, 'test')];
    expect([missing.status, foreign.status]).toStrictEqual([status, status]);
    expect(shownOf(foreign, id)).toBe(shownOf(missing, row.unknown));
    if (row.isOfAccount) return;
    const { owner } = dashboard;
    const [none, other] = [await ask(owner, row, row.unknown, 'live'), await ask(owner, row, id, 'live')];
    expect([none.status, other.status]).toStrictEqual([status, status]);
    expect(shownOf(other, id)).toBe(shownOf(none, row.unknown));
  },
);

async function ask(person: PersonBrowser, row: IsolationRow, id: string, mode: string): Promise<Reply> {
  const path = row.route.replace('{mode}', mode).replace(/\{\w+\}/, id);
  if (row.method === 'GET') return person.open(path);
  const code = row.asksCode && { code: person.merchant.nextCode() };
  return person.sendForm(row.from ?? `/dashboard/${mode}/security`, path, { ...row.fields, ...code });
}

/** The page without its own address, and without what each showing makes anew. */
function shownOf({ body }: Reply, id: string): string {
  return body.replaceAll(id, 'ID').replaceAll(/name="(?:csrf|form_id)" value="[^"]*"/g, '');
}
