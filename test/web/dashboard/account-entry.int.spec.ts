import { titleOf } from '../customer-browser';
import { DashboardStage, PersonBrowser } from '../dashboard-stage';

const LIMIT_MS = 60_000;
const PASSWORD = 'plum harbour 47 lanterns';
const LINK = /href="https?:\/\/[^"/]+(\/dashboard\/[\w-]+)\?token=([\w-]+)"/;

let dashboard: DashboardStage;
let nobody: PersonBrowser;

beforeAll(async () => {
  dashboard = await DashboardStage.open();
  nobody = dashboard.owner.another();
}, LIMIT_MS);
afterAll(() => dashboard.close());

const linkIn = (body: string): readonly [path: string, token: string] => {
  const [, path = '', token = ''] = LINK.exec(body) ?? [];
  return [path, token];
};
const send = (path: string, fields: object) => nobody.sendForm(path, path, fields);

it('opens an account by a mailed link, step by step', async () => {
  const email = 'new@shop.example';
  const sent = await send('/dashboard/sign-up', { business: 'New Shop', name: 'Nora', email });
  expect([sent.status, titleOf(sent)]).toStrictEqual([200, 'Look in your mail']);
  const [path, token] = linkIn(sent.body);
  expect(path).toBe('/dashboard/open-account');
  for (let looks = 0; looks < 2; looks++) expect((await nobody.open(`${path}?token=${token}`)).status).toBe(200);
  const weak = await send(path, { token, password: 'short' });
  expect(weak.status).toBe(400);
  expect(weak.body).toContain(`value="${token}"`);
  const opened = await send(path, { token, password: PASSWORD });
  expect([opened.status, opened.headers.location]).toStrictEqual([303, '/dashboard/sign-in?ended=opened']);
  expect((await send(path, { token, password: PASSWORD })).status).toBe(400);

  const owner = new PersonBrowser(dashboard.instance, dashboard.merchant, email);
  expect((await owner.startSignIn()).headers.location).toBe('/dashboard/enrol');
  expect((await owner.open('/dashboard/test')).headers.location).toBe('/dashboard/enrol');
  const { offer, answer } = await owner.enrol(dashboard.stage.clock);
  expect(offer.headers['content-encoding']).toBeUndefined();
  expect(answer.body.match(/<code>/g)).toHaveLength(10);
  expect((await owner.open('/dashboard/test')).body).toContain('New Shop');
  // A new account is verified before live mode takes its payments.
  expect((await owner.open('/dashboard/live')).body).toContain('Live mode takes no new payments.');
  expect((await owner.open('/dashboard/live/verification')).body).toContain('Three steps to live payments');
});

it('says the same of an address that has an account', async () => {
  const fields = { business: 'Other', name: 'Olaf', email: dashboard.owner.email };
  const answer = await send('/dashboard/sign-up', fields);
  expect([answer.status, titleOf(answer)]).toStrictEqual([200, 'Look in your mail']);
  expect(linkIn(answer.body)[0]).not.toBe('/dashboard/open-account');
});

it('sets a new password by a mailed link, and signs all devices out', async () => {
  const lost = await dashboard.stranger('forgetful');
  const sent = await send('/dashboard/reset', { email: lost.email });
  const [path, token] = linkIn(sent.body);
  const answer = await send(path, { token, password: 'quartz violin 93 meadows' });
  expect([answer.status, answer.headers.location]).toStrictEqual([303, '/dashboard/sign-in?ended=renewed']);
  expect((await lost.open('/dashboard/test')).status).toBe(303);
});

it('lets an invited viewer see, and change nothing', async () => {
  const { owner } = dashboard;
  const viewer = await dashboard.invited('viewer');
  expect((await viewer.open('/dashboard/test')).status).toBe(200);
  const forbidden = await viewer.open('/dashboard/requests/req_00000000000000000000000000/open');
  expect([forbidden.status, titleOf(forbidden)]).toStrictEqual([403, 'This is not for your role']);
  const allowed = await owner.open('/dashboard/requests/req_00000000000000000000000000/open');
  expect(allowed.status).toBe(404);
});
