import type { Reply } from '../../support/http-caller';
import { routesOfController } from '../../../src/platform/http/openapi-routes';
import { DASHBOARD_CONTROLLERS } from '../../../web/dashboard/controllers';
import { DashboardStage, type PersonBrowser } from '../dashboard-stage';
import { beginKyb } from './account-stage';
import { ISOLATION_ROWS, type IsolationRow } from './isolation-rows';

const LIMIT_MS = 60_000;
const MODE = '/dashboard/{mode}/';

/** Pages that are asked for an object by a filter. */
const FILTERS: readonly (readonly [page: string, kind: string])[] = [
  ['payments?search=', 'pi'],
  ['events?payment_intent=', 'pi'],
  ['books?wallet=', 'wal'],
];

/** The ids of all objects that the rows have made, and whether each is of both modes. */
const made = new Map<string, boolean>();
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
    made.set(id, row.isOfAccount === true);
    const isShown = row.method === 'POST' || (await ask(dashboard.owner, row, id, 'test')).status === 200;
    expect([id, isShown]).toStrictEqual([id, true]);
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

/** The pages of a mode that name no object. */
const LISTS = DASHBOARD_CONTROLLERS.flatMap(routesOfController)
  .filter(({ method, path }) => method === 'get' && `${path}/`.startsWith(MODE) && !/\{(?!mode)/.test(path))
  .map(({ path }) => path);

async function idsOn(person: PersonBrowser, path: string, mode: string): Promise<readonly string[]> {
  const { body } = await person.open(path.replace('{mode}', mode));
  return [...made.keys()].filter(id => body.includes(id));
}

it('shows no object on a page of another account or of the other mode', async () => {
  const { owner } = dashboard;
  const own = [];
  for (const path of LISTS) {
    own.push(...(await idsOn(owner, path, 'test')));
    expect([path, await idsOn(stranger, path, 'test'), await idsOn(stranger, path, 'live')]).toEqual([path, [], []]);
    const live = await idsOn(owner, path, 'live');
    expect([path, live.filter(id => made.get(id) !== true)]).toEqual([path, []]);
  }
  // A payment, a transfer, a wallet, a link, an invoice, a key, an endpoint, an event, a person and more.
  expect(new Set(own).size).toBeGreaterThan(9);
});

it.each(FILTERS)('finds another’s object by no filter: %s', async (page, kind) => {
  const id = [...made.keys()].find(each => each.startsWith(`${kind}_`)) ?? '';
  const none = `${kind}_00000000000000000000000000`;
  const open = (person: PersonBrowser, mode: string, of: string) => person.open(`/dashboard/${mode}/${page}${of}`);
  for (const [person, mode] of [
    [stranger, 'test'],
    [dashboard.owner, 'live'],
  ] as const) {
    const [missing, foreign] = [await open(person, mode, none), await open(person, mode, id)];
    expect(foreign.status).toBe(missing.status);
    expect(shownOf(foreign, id)).toBe(shownOf(missing, none));
  }
});

it('opens a logged request for the people of its account alone', async () => {
  const request = [...made.keys()].find(each => each.startsWith('req_')) ?? '';
  const open = (person: PersonBrowser, id: string) => person.open(`/dashboard/requests/${id}/open`);
  expect((await open(dashboard.owner, request)).headers.location).toBe(`/dashboard/test/requests/${request}`);
  const none = 'req_00000000000000000000000000';
  const [missing, foreign] = [await open(stranger, none), await open(stranger, request)];
  expect([missing.status, foreign.status]).toStrictEqual([404, 404]);
  expect(shownOf(foreign, request)).toBe(shownOf(missing, none));
});

async function ask(person: PersonBrowser, row: IsolationRow, id: string, mode: string): Promise<Reply> {
  const path = row.route.replace('{mode}', mode).replace(/\{\w+\}/, id);
  if (row.method === 'GET') return person.open(path);
  const code = row.asksCode && { code: person.merchant.nextCode() };
  return person.sendForm(row.from ?? `/dashboard/${mode}/security`, path, { ...row.fields, ...code });
}

/** The page without its own address, and without what each showing makes anew. */
function shownOf({ body }: Reply, id: string): string {
  return body.replaceAll(id, 'ID').replaceAll(/name="(?:csrf|form_id)" value="[^"]*"|data-page-version="[^"]*"/g, '');
}
