import { routesOfController } from '../../../src/platform/http/openapi-routes';
import { PAGE_RULE, type PageRule } from '../../../src/platform/http/page-admission';
import { permits } from '../../../src/vocabulary/roles';
import { DASHBOARD_CONTROLLERS } from '../../../web/dashboard/controllers';

/** Own ways to sign in and own devices, which are every person's. */
const OWN = /^POST \/dashboard\/\{mode\}\/security\//;
/** Pages of strangers, and the steps of sessions, which have no permissions yet. */
const ENTRY = /^\w+ \/dashboard(?:\/[\w-]+){0,2}$/;
/** Pages that look at the rule of the answered request by themselves, or show own facts alone. */
const OPEN_PAGES = ['GET /dashboard/requests/{id}', 'GET /dashboard/{mode}', 'GET /dashboard/{mode}/security'];

type Route = { readonly name: string; readonly rule: PageRule | undefined };

const routes: readonly Route[] = DASHBOARD_CONTROLLERS.flatMap(controller =>
  routesOfController(controller).map(({ method, path, name }) => ({
    name: `${method.toUpperCase()} ${path}`,
    rule: Reflect.getMetadata(PAGE_RULE, controller.prototype[name] as object) as PageRule | undefined,
  })),
);
const forms = routes.filter(({ name }) => name.startsWith('POST /dashboard/{mode}/'));
const pages = routes.filter(({ name }) => name.startsWith('GET ') && !ENTRY.test(name) && !OPEN_PAGES.includes(name));

test.each(forms.filter(({ name }) => !OWN.test(name)))('a viewer may not send $name', ({ rule }) => {
  expect(rule).toMatchObject({ stages: ['full'], isForm: true });
  expect(rule?.permission).not.toBeNull();
  expect(permits('viewer', rule?.permission as never)).toBe(false);
});

test.each(forms.filter(({ name }) => OWN.test(name)))('every person may send $name', ({ rule }) => {
  expect(rule).toMatchObject({ stages: ['full'], isForm: true, permission: null });
});

test.each(pages)('$name asks for a permission', ({ rule }) => {
  expect(rule).toMatchObject({ stages: ['full'] });
  expect(rule?.permission).not.toBeNull();
});

test('every form of the dashboard was looked at', () => {
  expect(forms.length).toBeGreaterThan(40);
  expect(pages.length).toBeGreaterThan(30);
});
