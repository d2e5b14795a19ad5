import { userIdOfEmail } from '../../../src/modules/users/registration';
import { USER_ROLES, PERMISSIONS } from '../../../src/vocabulary/roles';
import { PERMISSION_WORDS } from '../../../web/dashboard/people/role-words';
import { titleOf } from '../customer-browser';
import type { PersonBrowser } from '../dashboard-stage';
import { DashboardStage } from '../dashboard-stage';
import { PEOPLE } from './account-stage';

const LIMIT_MS = 60_000;
const TOKEN = /token=([\w-]{43})/;
const SECURITY = '/dashboard/test/security';

let dashboard: DashboardStage;
let owner: PersonBrowser;
let support: PersonBrowser;

beforeAll(async () => {
  dashboard = await DashboardStage.open();
  owner = dashboard.owner;
  support = await dashboard.invited('support');
}, LIMIT_MS);
afterAll(() => dashboard.close());

const pageOf = (email: string) => `${PEOPLE}/${userIdOfEmail(email)}`;
const act = (email: string, action: string, fields: object = {}) =>
  owner.sendForm(SECURITY, `${pageOf(email)}/${action}`, { code: owner.merchant.nextCode(), ...fields });
const invite = (email: string, fields: object = {}) =>
  owner.sendForm(`${PEOPLE}/new`, `${PEOPLE}/new`, {
    ...{ email, role: 'finance', code: owner.merchant.nextCode() },
    ...fields,
  });

it('shows the people and their states, and the permissions by role', async () => {
  await invite('new@shop.example');
  await dashboard.stage.project();
  const { status, body } = await owner.open(PEOPLE);
  expect(status).toBe(200);
  for (const text of ['owner@shop.example', 'support@shop.example', 'Invited', 'Authenticator'])
    expect(body).toContain(text);
  for (const permission of PERMISSIONS) expect(body).toContain(PERMISSION_WORDS[permission]);
});

describe('an invitation', () => {
  it('is mailed with a code, and its mail is shown where no mail leaves', async () => {
    const wrong = await invite('mia@shop.example', { code: '000000' });
    expect([wrong.status, wrong.body.includes('mia@shop.example')]).toEqual([401, true]);
    expect((await owner.open(pageOf('mia@shop.example'))).status).toBe(404);
    const answer = await invite('Mia@Shop.example');
    expect([answer.status, answer.headers.location]).toEqual([303, pageOf('mia@shop.example')]);
    const { body } = await owner.open(pageOf('mia@shop.example'));
    expect(body).toMatch(/No mail server is set up[^]*invitation\?token=[\w-]{43}/);
    expect((await support.open(pageOf('mia@shop.example'))).body).not.toContain('token=');
  });

  it.each([
    [{ email: 'nobody' }, 'This is not an e-mail address.'],
    [{ email: 'owner@shop.example' }, ''],
    [{ email: 'a@b.example', role: 'king' }, 'There is no such role.'],
  ])('is refused at the field: %o', async (fields, fault) => {
    const answer = await invite('', fields);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatch(/aria-invalid="true"/);
    expect(answer.body).toContain(fault);
  });

  it('is sent again, in another role, and ends the link of before', async () => {
    const tokenOf = async () => /token=([\w-]+)/.exec((await owner.open(pageOf('again@shop.example'))).body)?.[1] ?? '';
    await invite('again@shop.example');
    const former = await tokenOf();
    expect((await act('again@shop.example', 'invite', { role: 'developer' })).status).toBe(303);
    expect(await tokenOf()).not.toBe(former);
    const join = { token: former, name: 'Ada', password: 'violet harbour 42 lanterns' };
    const late = await owner.another().sendForm('/dashboard/invitation', '/dashboard/invitation', join);
    expect(late.status).toBe(400);
  });

  it('is withdrawn with a code: its link stops at once, and the address is invited again', async () => {
    const email = 'withdrawn@shop.example';
    const link = async () => `/dashboard/invitation?token=${TOKEN.exec((await owner.open(pageOf(email))).body)?.[1]}`;
    await invite(email);
    const former = await link();
    const guest = owner.another();
    expect(titleOf(await guest.open(former))).toBe('You are invited');
    const wrong = await act(email, 'withdraw', { code: '000000' });
    expect(wrong.status).toBe(401);
    expect(wrong.body).toMatch(new RegExp(`id="withdraw" open[^]*The link in the mail to ${email} does nothing`));
    expect((await act(email, 'withdraw')).headers.location).toBe(pageOf(email));
    const { body } = await owner.open(pageOf(email));
    expect(body).toContain('Invitation withdrawn');
    expect(body).not.toContain('token=');
    const late = await guest.open(former);
    expect([late.status, titleOf(late)]).toEqual([400, 'This invitation does not work']);
    const join = { token: former.split('=')[1], name: 'Ada', password: 'violet harbour 42 lanterns' };
    const joined = await guest.sendForm('/dashboard/invitation', '/dashboard/invitation', join);
    expect([joined.status, titleOf(joined)]).toEqual([400, 'This invitation does not work']);
    expect((await act(email, 'enable')).status).toBe(409);
    expect((await act(email, 'disable')).status).toBe(409);
    expect((await act(email, 'invite', { role: 'viewer' })).status).toBe(303);
    expect(titleOf(await guest.open(await link()))).toBe('You are invited');
  });
});

describe('a person', () => {
  it('gets another role at once', async () => {
    expect((await support.open('/dashboard/test/settings/session-policy')).status).toBe(403);
    const wrong = await act(support.email, 'role', { role: 'owner', code: '000000' });
    expect(wrong.status).toBe(401);
    expect((await act(support.email, 'role', { role: 'nobody' })).status).toBe(400);
    expect((await act(support.email, 'role', { role: 'owner' })).headers.location).toBe(pageOf(support.email));
    expect((await support.open('/dashboard/test/settings/session-policy')).status).toBe(200);
    await act(support.email, 'role', { role: 'support' });
    expect((await support.open('/dashboard/test/settings/session-policy')).status).toBe(403);
  });

  it('is signed out by a disabling, and signs in again after it', async () => {
    const gone = await dashboard.invited('viewer', 'gone');
    expect((await gone.open(PEOPLE)).status).toBe(200);
    expect((await act(gone.email, 'disable', { code: '000000' })).status).toBe(401);
    expect((await act(gone.email, 'disable')).status).toBe(303);
    expect((await gone.open(PEOPLE)).headers.location).toContain('ended=session_revoked');
    expect((await act(gone.email, 'enable')).status).toBe(303);
    expect((await owner.open(pageOf(gone.email))).body).toContain('Active');
  });

  it('who is the last owner stays one', async () => {
    for (const [action, fields] of [
      ['role', { role: 'viewer' }],
      ['disable', {}],
    ] as const) {
      const answer = await act(owner.email, action, fields);
      expect(answer.status).toBe(409);
      expect(answer.body).toContain('This is the last owner of the account.');
    }
  });
});

it.each(USER_ROLES.filter(role => role !== 'owner'))('%s sees people, and manages none', async role => {
  const person = role === 'support' ? support : await dashboard.invited(role);
  const { status, body } = await person.open(pageOf(owner.email));
  expect([status, body.includes('action="/dashboard/test/settings/users')]).toEqual([200, false]);
  expect((await person.open(`${PEOPLE}/new`)).status).toBe(403);
  const forms = [
    ['new', { email: 'x@y.example', role: 'owner' }],
    ...['invite', 'withdraw', 'role', 'disable', 'enable'].map(
      action =>
        [`${userIdOfEmail(person.email)}/${action}`, /invite|role/.test(action) ? { role: 'owner' } : {}] as const,
    ),
  ] as const;
  for (const [path, fields] of forms) {
    const answer = await person.sendForm(SECURITY, `${PEOPLE}/${path}`, { ...fields, code: '000000' });
    expect([path, answer.status]).toEqual([path, 403]);
  }
});
