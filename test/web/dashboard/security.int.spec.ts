import { generateSync } from 'otplib';
import { DashboardStage, type PersonBrowser } from '../dashboard-stage';

const LIMIT_MS = 60_000;
const SECURITY = '/dashboard/test/security';
const PASSWORD = 'plum harbour 47 lanterns';
const WANTED = 'quartz violin 93 meadows';
const SECRET = /<code>([A-Z2-7 ]+)<\/code>/;
const STEP_MS = 30_000;

let dashboard: DashboardStage;

beforeAll(async () => {
  dashboard = await DashboardStage.open();
}, LIMIT_MS);
afterAll(() => dashboard.close());

const send = (person: PersonBrowser, path: string, fields: object = {}) =>
  person.sendForm(SECURITY, `${SECURITY}/${path}`, fields);
const signInWith = (person: PersonBrowser, password: string) =>
  person.sendForm('/dashboard/sign-in', '/dashboard/sign-in', { email: person.email, password, next: '' });

describe('a password', () => {
  it('is changed by the present one, keeps this device, and signs all others out', async () => {
    const person = await dashboard.stranger('changer');
    const other = person.another();
    await other.signIn();
    const wrong = await send(person, 'password', { present: 'not this one', wanted: WANTED });
    expect([wrong.status, wrong.body.includes('id="security-password-present-fault"')]).toEqual([401, true]);
    const short = await send(person, 'password', { present: PASSWORD, wanted: 'short' });
    expect([short.status, /security-password-(?:wanted|password)/.test(short.body)]).toEqual([400, true]);
    expect((await other.open(SECURITY)).status).toBe(200);
    const answer = await send(person, 'password', { present: PASSWORD, wanted: WANTED });
    expect([answer.status, answer.headers.location]).toEqual([303, SECURITY]);
    expect((await person.open(SECURITY)).status).toBe(200);
    expect((await other.open(SECURITY)).headers.location).toContain('ended=session_revoked');
    expect((await signInWith(person.another(), PASSWORD)).status).toBe(401);
    expect((await signInWith(person.another(), WANTED)).headers.location).toBe('/dashboard/code');
  });
});

describe('recovery codes', () => {
  it('are counted, and made anew with a code', async () => {
    const { owner } = dashboard;
    expect((await owner.open(SECURITY)).body).toContain('You have none');
    const made = await send(owner, 'recovery-codes', { code: owner.merchant.nextCode() });
    const codes = [...made.body.matchAll(/<code>([^<]+)<\/code>/g)].map(([, code]) => code ?? '');
    expect(codes).toHaveLength(10);
    expect((await owner.open(SECURITY)).body).toContain('You have 10 left.');
    const lost = owner.another();
    await lost.startSignIn();
    await lost.sendForm('/dashboard/recovery', '/dashboard/recovery', { recovery_code: codes[0] });
    expect((await owner.open(SECURITY)).body).toContain('You have 9 left.');
  });
});

describe('an authenticator', () => {
  const secretIn = (body: string) => (SECRET.exec(body)?.[1] ?? '').replaceAll(' ', '');
  const codeOf = (secret: string) => {
    const { clock } = dashboard.stage;
    clock.aheadMs += STEP_MS;
    return generateSync({ secret, epoch: clock.now() / 1_000 });
  };

  it('is replaced by another one, which shows its first code', async () => {
    const person = await dashboard.stranger('replacer');
    expect((await send(person, 'authenticator', { code: '000000' })).status).toBe(401);
    const secret = secretIn((await send(person, 'authenticator', { code: person.merchant.nextCode() })).body);
    expect(secret).toHaveLength(32);
    const mistyped = await send(person, 'authenticator/first-code', { code: '000000' });
    expect([mistyped.status, secretIn(mistyped.body)]).toEqual([401, secret]);
    // An owner whom the operator has made gets the first recovery codes by this enrolment.
    const enrolled = await send(person, 'authenticator/first-code', { code: codeOf(secret) });
    expect([enrolled.status, enrolled.headers['content-encoding']]).toEqual([200, undefined]);
    expect(enrolled.body.match(/<code>/g)).toHaveLength(10);

    expect((await send(person, 'authenticator', { code: person.merchant.nextCode() })).status).toBe(401);
    const next = secretIn((await send(person, 'authenticator', { code: codeOf(secret) })).body);
    const again = await send(person, 'authenticator/first-code', { code: codeOf(next) });
    expect([again.status, again.headers.location]).toEqual([303, SECURITY]);
    expect((await person.open(SECURITY)).body).toContain('You have 10 left.');
  });
});

describe('devices', () => {
  it('are signed out one by one', async () => {
    const person = await dashboard.stranger('travelling');
    const [one, other] = [person.another(), person.another()];
    await one.signIn();
    await other.signIn();
    const [, id] = /sessions\/(ses_\w+)\/sign-out/.exec((await person.open(SECURITY)).body) ?? [];
    expect((await send(person, `sessions/${id}/sign-out`)).status).toBe(303);
    const open = await Promise.all([one, other].map(async each => (await each.open(SECURITY)).status));
    expect(open.sort()).toEqual([200, 303]);
    expect((await person.open(SECURITY)).status).toBe(200);
  });
});
