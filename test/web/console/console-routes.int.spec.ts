import { ADMIN_ACTIONS } from '../../../src/modules/administration/api/admin-actions';
import type { AdminAction } from '../../../src/modules/administration/api/admin-action';
import { routesOfController } from '../../../src/platform/http/openapi-routes';
import { isFourEyes, isRisky } from '../../../src/vocabulary/admin-roles';
import { bodyOf, fieldsOf } from '../../../web/console/actions/action-fields';
import { actionPath, objectPageOf } from '../../../web/console/actions/action-places';
import { CONSOLE_CONTROLLERS } from '../../../web/console/controllers';
import { pagePathsOf } from '../../../web/page-routes';
import type { Sent } from '../../modules/administration/admin-stage';
import { agreed, risky, signedInAdmin, type SignedInAdmin } from '../../modules/administration/signed-in-admin';
import { everyEvent } from '../../support/audited';
import type { Reply } from '../../support/http-caller';
import { ConsoleStage, type AdminBrowser } from '../console-stage';
import { PersonBrowser } from '../dashboard-stage';
import { beginKyb, firstDocument, PDF, upload } from '../dashboard/account-stage';
import { hiddenIn } from '../form-browser';
import { ActionObjects } from './action-objects';
import { ACTION_WAYS } from './action-rows';

const LIMIT_MS = 60_000;
const PROPOSED = expect.stringMatching(/^\/console\/approvals\/apr_\w+$/);

let stage: ConsoleStage;
let objects: ActionObjects;
let owner: AdminBrowser;
let [ora, ove]: readonly SignedInAdmin[] = [];
const staged = new Map<string, readonly [byPages: Sent, byRoute: Sent]>();

beforeAll(async () => {
  stage = await ConsoleStage.open({ takesLive: true, countries: { countryOf: () => null } });
  stage.stage.follow();
  objects = await ActionObjects.open(stage);
  owner = await stage.admin('owner');
  const signedIn = (name: string) => signedInAdmin(stage.stage, stage.instance, `${name}@operator.example`, 'owner');
  [ora, ove] = [await signedIn('ora'), await signedIn('ove')];
  for (const [event, , { sent }] of ACTION_WAYS) staged.set(event, [await sent(objects, 0), await sent(objects, 1)]);
  await stage.stage.project();
}, LIMIT_MS);
afterAll(() => stage?.close());

const targetOf = ({ id, body }: Sent) => id ?? String(Object.values(body)[0]);
const alertOf = ({ body }: Reply) => /role="alert">(.*?)<\/p>/s.exec(body)?.[1] ?? null;

/** The texts of an action's form. */
function formOf(action: AdminAction, { id, body }: Sent): Readonly<Record<string, string>> {
  const fields = fieldsOf(action).map(({ name }) => [name, [body[name] ?? ''].flat().join(' ')] as const);
  return { ...(id !== null && { target: id }), ...Object.fromEntries(fields) };
}

describe('the address of a form', () => {
  const routes = CONSOLE_CONTROLLERS.flatMap(routesOfController);
  const shown = routes.filter(({ method }) => method === 'get').map(({ path }) => path);
  const sentOnly = routes.filter(({ method, path }) => method === 'post' && !shown.includes(path));
  const named = (route: string) => route.replaceAll(/\{\w+\}/g, 'none');
  const pages = pagePathsOf(CONSOLE_CONTROLLERS).map(named);

  it.each(sentOnly.map(({ path }) => path))('%s leads a reload back to the nearest page above', async route => {
    const path = named(route);
    const above = pages.filter(page => path.startsWith(`${page}/`));
    const [nearest] = above.toSorted((one, other) => other.length - one.length);
    const { status, headers } = await owner.open(path);
    expect([status, headers.location]).toEqual([303, nearest]);
  });
});

it('a document of a case is sent as a file, by its page and by its route', async () => {
  const person = await PersonBrowser.ofNewMerchant(stage.stage, stage.instance, 'shop');
  const kybCase = await beginKyb(stage, person);
  await upload(person, { name: 'extract.pdf', bytes: PDF });
  const document = await firstDocument(person);
  for (const place of ['console/kyb', 'admin/kyb_cases']) {
    const { status, headers, body } = await owner.open(`/${place}/${kybCase}/documents/${document}`);
    expect([status, headers['content-type'], body]).toEqual([200, 'application/pdf', String(PDF)]);
  }
});

it('a deferred transfer and a hole of coverage are shown by their routes', async () => {
  const [transfer, hole] = [await objects.deferredTransfer(), await objects.coverageHole()];
  for (const [list, id] of [['deferred_transfers', transfer] as const, ['coverage_holes', hole] as const]) {
    const shown = await ora?.browser.get(`${list}/${encodeURIComponent(id)}`);
    expect(shown?.body).toMatchObject({ id, status: 'open' });
  }
});

describe.each(ACTION_WAYS)('%s by %s', (event, name, { readsClock }) => {
  const action: AdminAction = ADMIN_ACTIONS[name];
  const { permission } = action;
  const [needsTwo, asksCode] = [isFourEyes(permission), isRisky(permission)];

  it('is previewed, and done or proposed, by its pages', async () => {
    const [sent] = staged.get(event) as readonly [Sent, Sent];
    const page = `/console/${actionPath(name)}`;
    const fields = formOf(action, sent);
    expect(bodyOf(fieldsOf(action), fields)).toEqual(sent.body);
    const preview = await owner.sendForm(page, `${page}/preview`, fields);
    expect([preview.status, alertOf(preview)]).toEqual([200, null]);
    const asked = asksCode && !needsTwo ? { ...fields, code: owner.code() } : fields;
    const hidden = { formId: hiddenIn(preview.body, 'form_id'), csrf: hiddenIn(preview.body, 'csrf') };
    const done = await owner.sendForm(page, page, asked, hidden);
    const place = needsTwo ? PROPOSED : `/console/${objectPageOf(name, targetOf(sent))}`;
    expect([done.status, alertOf(done), done.headers.location]).toEqual([303, null, place]);
  });

  it('is done by its route', async () => {
    const [, sent] = staged.get(event) as readonly [Sent, Sent];
    const [by, other] = [ora, ove] as readonly [SignedInAdmin, SignedInAdmin];
    const target = targetOf(sent);
    const { body } = sent;
    const approval = needsTwo && { approval_id: await agreed(by, other, { permission, target, body }) };
    const path = action.path.replace(':id', encodeURIComponent(target));
    const whole = { ...body, ...approval };
    const send = () => (asksCode ? risky(by, path, whole) : by.browser.post(path, whole));
    const done = await (readsClock ? stage.instance.readOnce.anew(send) : send());
    expect(done).toMatchObject({ status: 200, code: null, body: { object: 'admin_action', permission } });
  });
});

it('an action appends its event in the name of each administrator who did it', async () => {
  const appended = await everyEvent(stage.stage.core.store);
  const doersOf = (event: string) =>
    appended.flatMap(({ type, metadata: { actor } }) => (type === event && actor.type === 'admin' ? [actor.id] : []));
  const expected = ACTION_WAYS.map(([event, name]) => {
    return [event, isFourEyes(ADMIN_ACTIONS[name].permission) ? [ora?.id] : [owner.id, ora?.id]];
  });
  expect(ACTION_WAYS.map(([event]) => [event, doersOf(event)])).toEqual(expected);
});
