import 'reflect-metadata';
import { PAGE_RULE, type PageRule } from '../../../src/platform/http/page-admission';
import { routesOfController } from '../../../src/platform/http/openapi-routes';
import { DASHBOARD_CONTROLLERS } from '../../../web/dashboard/controllers';

/** Permissions to change the way of money, or those who may act. */
const RISKY = [
  'key.manage',
  'webhook.manage',
  'wallet.manage',
  'route.manage',
  'user.manage',
  'session_policy.manage',
  'account.close',
];
/** An event goes to an endpoint that there is, and a challenge proves nothing yet. */
const WITHOUT_CODE = ['/dashboard/{mode}/events/{id}/redeliver', '/dashboard/{mode}/wallets/{id}/challenge'];
/** A new password asks for the present one. A passkey is added by a script, which sends the code with its JSON. */
const OWN = ['POST /dashboard/{mode}/security/authenticator', 'POST /dashboard/{mode}/security/recovery-codes'];

type Route = { readonly name: string; readonly path: string } & Omit<PageRule, 'stages'>;

const ROUTES: readonly Route[] = DASHBOARD_CONTROLLERS.flatMap(controller => {
  const prototype = controller.prototype as Readonly<Record<string, object>>;
  return routesOfController(controller).flatMap(({ name, method, path }) => {
    const rule = Reflect.getMetadata(PAGE_RULE, prototype[name] as object) as PageRule | undefined;
    return rule ? [{ ...rule, name: `${method.toUpperCase()} ${path}`, path }] : [];
  });
});

it('asks for a fresh code in each form that changes the way of money, or those who act (ASVS 7.5.3)', () => {
  const risky = ROUTES.filter(({ isForm, permission }) => isForm && RISKY.includes(permission ?? ''));
  expect(risky.length).toBeGreaterThan(RISKY.length);
  const silent = risky.filter(({ highRisk }) => highRisk === null).map(({ path }) => path);
  expect(silent).toEqual(WITHOUT_CODE);
});

it('asks for a fresh code before a person changes the ways to sign in (ASVS 7.5.1)', () => {
  const asking = ROUTES.filter(({ permission, highRisk }) => permission === null && highRisk !== null);
  expect(asking.map(({ name }) => name).sort()).toEqual(OWN);
});
