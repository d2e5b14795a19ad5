import { PAGE_RULE, type PageRule } from '../../../src/platform/http/page-admission';
import { routesOfController } from '../../../src/platform/http/openapi-routes';
import { ADMIN_ROLES, adminPermits, type AdminRole } from '../../../src/vocabulary/admin-roles';
import { CONSOLE_CONTROLLERS } from '../../../web/console/controllers';
import { searchSize } from '../../levels/search-size';
import { ConsoleStage } from '../console-stage';
import { PersonBrowser } from '../dashboard-stage';

const LIMIT_MS = 60_000;

type Served = { readonly method: 'GET' | 'POST'; readonly path: string; readonly rule: PageRule | undefined };

/** Every route of the console, with its rule; an id is one that nobody has. */
const ROUTES: readonly Served[] = CONSOLE_CONTROLLERS.flatMap(controller =>
  routesOfController(controller).map(({ method, path, name }) => {
    const handler = (controller.prototype as Readonly<Record<string, object>>)[name] as object;
    return {
      method: method.toUpperCase() as Served['method'],
      path: path.replaceAll(/\{\w+\}/g, 'none'),
      rule: Reflect.getMetadata(PAGE_RULE, handler) as PageRule | undefined,
    };
  }),
);
const SIGNED_IN = ROUTES.filter(({ rule }) => rule?.stages.includes('full') && rule.stages.length === 1);
const PAGES = SIGNED_IN.filter(({ method }) => method === 'GET');
const FORMS = SIGNED_IN.filter(({ method }) => method === 'POST');
const OPEN = ROUTES.filter(({ rule }) => rule === undefined).map(({ method, path }) => `${method} ${path}`);

/** The first so many roles are tried at each page and form. */
const ROLES = ADMIN_ROLES.slice(0, searchSize('CONSOLE_ROLES', { small: 2, full: ADMIN_ROLES.length }));

let stage: ConsoleStage;
/** The owner's token of forms. */
let ownToken: string;
beforeAll(async () => {
  stage = await ConsoleStage.open();
  for (const role of new Set([...ROLES, 'owner'] as const)) await stage.admin(role);
  ownToken = await tokenOf('owner');
}, LIMIT_MS);
afterAll(() => stage?.close());

it('is open to strangers on the way in alone', () => {
  expect(OPEN.sort()).toStrictEqual([
    'GET /console/invitation',
    'GET /console/new-password',
    'GET /console/reset',
    'GET /console/sign-in',
    'POST /console/invitation',
    'POST /console/new-password',
    'POST /console/passkey',
    'POST /console/passkey/options',
    'POST /console/reset',
    'POST /console/sign-in',
  ]);
});

describe.each(ROLES)('the role %s', role => {
  it('sees each page that it may, and no other', async () => {
    const browser = await stage.admin(role);
    const seen: string[] = [];
    for (const { path, rule } of PAGES) {
      const { status } = await browser.open(path);
      const isLetIn = isPermitted(role, rule);
      // An object that nobody knows is missing for those alone who might see it.
      if (isLetIn !== [200, 404].includes(status)) seen.push(`${path} ${status}`);
      if (!isLetIn && status !== 403) seen.push(`${path} ${status}`);
    }
    expect(seen).toStrictEqual([]);
  });

  it('sends each form that it may, and no other', async () => {
    const browser = await stage.admin(role);
    const csrf = await tokenOf(role);
    const sent: string[] = [];
    for (const { path, rule } of FORMS.filter(({ rule }) => rule?.permission !== null && rule?.isForm === true)) {
      const { status } = await browser.sendForm(path, path, {}, { csrf, formId: '' });
      if (isPermitted(role, rule) !== (status !== 403)) sent.push(`${path} ${status}`);
    }
    expect(sent).toStrictEqual([]);
  });
});

it.each(SIGNED_IN)('$method $path leads strangers to the sign-in', async ({ method, path }) => {
  const stranger = (await stage.admin('owner')).another();
  const answer =
    method === 'GET' ? await stranger.open(path) : await stranger.sendForm('', path, {}, { csrf: 'x', formId: 'x' });
  expect(answer.status).toBe(303);
  expect(answer.headers.location).toMatch(/^\/console\/sign-in/);
});

it.each(FORMS)('$path takes no form of another site, whoever has sent it', async ({ path }) => {
  const browser = await stage.admin('owner');
  for (const site of ['cross-site', 'same-site', 'none']) {
    const sent = { csrf: ownToken, formId: 'f'.repeat(32), headers: { 'sec-fetch-site': site } };
    expect([site, (await browser.sendForm('', path, {}, sent)).status]).toStrictEqual([site, 403]);
  }
});

it('takes no form without the session’s own token', async () => {
  const browser = await stage.admin('owner');
  const sent = { csrf: 'A'.repeat(86), formId: 'f'.repeat(32) };
  const { status } = await browser.sendForm('', '/console/security/sessions/others', {}, sent);
  expect(status).toBe(403);
});

it('knows no session of a merchant’s person, and the dashboard none of an administrator', async () => {
  const owner = await PersonBrowser.ofNewMerchant(stage.stage, stage.instance, 'owner');
  const administrator = await stage.admin('owner');
  const cookie = `__Host-qt_admin=${owner.secret}; __Host-qt_session=${owner.secret}`;
  expect((await owner.open('/console', { cookie })).headers.location).toMatch(/^\/console\/sign-in/);
  const own = `__Host-qt_session=${administrator.secret}; __Host-qt_admin=${administrator.secret}`;
  expect((await administrator.open('/dashboard/test', { cookie: own })).headers.location).toMatch(
    /^\/dashboard\/sign-in/,
  );
});

async function tokenOf(role: AdminRole): Promise<string> {
  const { body } = await (await stage.admin(role)).open('/console/security');
  return /name="csrf" value="([^"]*)"/.exec(body)?.[1] ?? '';
}

function isPermitted(role: AdminRole, rule: PageRule | undefined): boolean {
  return rule?.realm === 'admin' && (rule.permission === null || adminPermits(role, rule.permission));
}
