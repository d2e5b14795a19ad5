import { SoftwareAuthenticator } from '../../support/software-authenticator';
import { ConsoleStage, type AdminBrowser } from '../console-stage';

const LIMIT_MS = 60_000;
const SESSIONS_LIMIT = 5;
const SECURITY = '/console/security';
const PASSWORD = 'plum harbour 47 lanterns';
const CODE = /<code>([^<]+)<\/code>/g;
const LINK = /href="http[^"]*(\/console\/new-password\?token=[\w-]+)"/;

let stage: ConsoleStage;
let ada: AdminBrowser;

beforeAll(async () => {
  stage = await ConsoleStage.open();
  ada = await stage.admin('compliance', 'ada');
}, LIMIT_MS);
afterAll(() => stage?.close());

it('leads from the invitation over the authenticator to the recovery codes, once', async () => {
  const guest = await stage.invited('viewer', 'guest');
  expect((await guest.startSignIn()).headers.location).toBe('/console/enrol');
  // A session that has to enrol sees nothing else.
  expect((await guest.open('/console')).headers.location).toBe('/console/enrol');
  const { offer, answer } = await guest.enrol();
  expect(offer.body).toContain('class="qr');
  expect([...answer.body.matchAll(CODE)]).toHaveLength(10);
  expect(answer.body).toContain('href="/console"');
  expect((await guest.open('/console')).status).toBe(200);
  const [, path] =
    /(\/console\/invitation\?token=[\w-]+)/.exec(await stage.invitationOf('late@operator.example')) ?? [];
  expect((await guest.open(path ?? '')).status).toBe(200);
  expect((await guest.open('/console/invitation?token=none')).body).toContain('This invitation does not work');
});

it('leads after the code to the page that was wanted, and to none of another place', async () => {
  const browser = ada.another();
  expect((await browser.open('/console/holds?status=open')).headers.location).toBe(
    '/console/sign-in?next=%2Fconsole%2Fholds%3Fstatus%3Dopen',
  );
  expect((await browser.startSignIn('/console/holds')).headers.location).toBe('/console/code?next=%2Fconsole%2Fholds');
  const wrong = await browser.sendForm('/console/code', '/console/code', { code: '000000', next: '' });
  expect([wrong.status, /role="alert">(.*?)<\/p>/.exec(wrong.body)?.[1]]).toEqual([
    401,
    expect.stringContaining('wrong'),
  ]);
  const next = '/console/holds';
  const done = await browser.sendForm('/console/code', '/console/code', { code: browser.code(), next });
  expect(done.headers.location).toBe('/console/holds');
  expect(done.headers['set-cookie']?.[0]).toMatch(/^__Host-qt_admin=\S+; Path=\/; Secure; HttpOnly; SameSite=Strict$/);
  expect((await ada.another().signIn('/dashboard/live')).headers.location).toBe('/console');
});

it('lets a recovery code in place of the authenticator, and has another one enrolled', async () => {
  const lost = await stage.admin('viewer', 'lost');
  const made = await lost.sendForm(SECURITY, `${SECURITY}/recovery-codes`, { code: lost.code() });
  const [[, recovery_code] = []] = [...made.body.matchAll(CODE)];
  expect((await lost.open(SECURITY)).body).toContain('You have 10 left.');
  const other = lost.another();
  await other.startSignIn();
  const recovered = await other.sendForm('/console/recovery', '/console/recovery', { recovery_code });
  expect(recovered.headers.location).toBe('/console/enrol');
});

it('asks for a code before a risky step, and gives the session a new secret', async () => {
  const before = ada.secret;
  const refused = await ada.sendForm(SECURITY, `${SECURITY}/authenticator`, { code: '' });
  expect(refused.status).toBe(401);
  const offered = await ada.sendForm(SECURITY, `${SECURITY}/authenticator`, { code: ada.code() });
  expect(offered.body).toContain('Another authenticator');
  expect(ada.secret).not.toBe(before);
  const removal = await ada.sendForm(SECURITY, `${SECURITY}/passkeys/psk_none/remove`, { code: '' });
  expect(removal.status).toBe(401);
});

it('changes the password, and signs the other devices out', async () => {
  const other = ada.another();
  await other.signIn();
  expect((await other.open('/console')).status).toBe(200);
  const wanted = 'another harbour of 47 plums';
  const changed = await ada.sendForm(SECURITY, `${SECURITY}/password`, { present: PASSWORD, wanted });
  expect(changed.headers.location).toBe(SECURITY);
  expect((await other.open('/console')).headers.location).toMatch(/^\/console\/sign-in\?.*ended=session_revoked/);
  const back = await ada.sendForm(SECURITY, `${SECURITY}/password`, { present: wanted, wanted: PASSWORD });
  expect(back.headers.location).toBe(SECURITY);
});

it('sets a new password by a mailed link, which leads to the console', async () => {
  const browser = ada.another();
  const sent = await browser.sendForm('/console/reset', '/console/reset', { email: ada.email });
  const unknown = await browser.sendForm('/console/reset', '/console/reset', { email: 'nobody@operator.example' });
  expect([sent.status, unknown.status]).toEqual([200, 200]);
  const [, path = ''] = LINK.exec(sent.body) ?? [];
  const token = new URLSearchParams(path.split('?')[1]).get('token') ?? '';
  const fields = { token, password: PASSWORD };
  const set = await browser.sendForm(path, '/console/new-password', fields);
  expect(set.headers.location).toBe('/console/sign-in?ended=renewed');
  expect((await browser.sendForm(path, '/console/new-password', fields)).body).toContain('This link does not work');
  await ada.signIn();
});

it('signs in by a passkey, until it is removed', async () => {
  const send = async (by: AdminBrowser, path: string, body: object) => {
    const json = { 'content-type': 'application/json', accept: 'application/json' };
    const headers = { ...json, 'sec-fetch-site': 'same-origin' };
    const answer = await by.sendRaw(`/console/${path}`, { headers, body: JSON.stringify(body) });
    return { status: answer.status, body: JSON.parse(answer.body) };
  };
  const { origin, hostname } = new URL(stage.url('/'));
  const passkey = new SoftwareAuthenticator(origin, hostname);
  const registration = await send(ada, 'passkeys/options', { code: ada.code() });
  expect(registration.body).toMatchObject({ rp: { id: 'localhost' } });
  const registered = await send(ada, 'passkeys', { credential: passkey.create(registration.body), name: 'Laptop' });
  expect(registered.body).toEqual({ location: SECURITY });
  const signIn = async (by: AdminBrowser) => {
    const offered = await send(by, 'passkey/options', {});
    expect(offered.body).toMatchObject({ rpId: 'localhost' });
    return send(by, 'passkey', { credential: passkey.get(offered.body), next: '/console/holds' });
  };
  const other = ada.another();
  expect(await signIn(other)).toEqual({ status: 200, body: { location: '/console/holds' } });
  expect((await other.open('/console/holds')).status).toBe(200);
  const [removal] = /\/console\/security\/passkeys\/psk_\w+\/remove/.exec((await ada.open(SECURITY)).body) ?? [''];
  const removed = await ada.sendForm(SECURITY, removal, { code: ada.code() });
  expect(removed.headers.location).toBe(SECURITY);
  expect((await signIn(ada.another())).status).toBe(400);
});

it('takes codes of another authenticator once it is enrolled', async () => {
  const bea = await stage.admin('viewer', 'bea');
  const former = bea.another();
  expect((await bea.replaceAuthenticator()).headers.location).toBe(SECURITY);
  await former.startSignIn();
  const wrong = await former.sendForm('/console/code', '/console/code', { code: former.code(), next: '' });
  expect(wrong.status).toBe(401);
  expect((await bea.another().signIn()).headers.location).toBe('/console');
});

it('signs out one other device, or all of them', async () => {
  const cay = await stage.admin('viewer', 'cay');
  const others = [cay.another(), cay.another(), cay.another()] as const;
  const areIn = async () => {
    const shown: boolean[] = [];
    for (const other of others) shown.push((await other.open('/console')).status === 200);
    return shown;
  };
  for (const other of others) await other.signIn();
  expect(await areIn()).toEqual([true, true, true]);
  const [one] = /\/console\/security\/sessions\/ses_\w+\/sign-out/.exec((await cay.open(SECURITY)).body) ?? [''];
  expect((await cay.sendForm(SECURITY, one)).headers.location).toBe(SECURITY);
  expect((await areIn()).filter(isIn => isIn)).toHaveLength(2);
  expect((await cay.sendForm(SECURITY, `${SECURITY}/sessions/others`)).headers.location).toBe(SECURITY);
  expect(await areIn()).toEqual([false, false, false]);
  expect((await cay.open('/console')).status).toBe(200);
});

it('lets a sixth device in once its person has ended the oldest session', async () => {
  const dee = await stage.admin('viewer', 'dee');
  for (let signedIn = 1; signedIn < SESSIONS_LIMIT; signedIn++) await dee.another().signIn();
  const sixth = dee.another();
  expect((await sixth.signIn()).headers.location).toBe('/console/choice');
  const chosen = await sixth.sendForm('/console/choice', '/console/choice', { next: '/console/holds' });
  expect(chosen.headers.location).toBe('/console/holds');
  expect((await sixth.open('/console/holds')).status).toBe(200);
  expect((await dee.open('/console')).headers.location).toMatch(/ended=session_revoked/);
});

it('signs out from any stage', async () => {
  const browser = ada.another();
  await browser.startSignIn();
  // The next step may have been taken since the seats were read.
  const ended = await stage.instance.readOnce.anew(() => browser.sendForm('/console/code', '/console/sign-out'));
  expect(ended.headers.location).toBe('/console/sign-in');
  expect((await browser.open('/console/code')).headers.location).toMatch(/^\/console\/sign-in/);
});

it('ends a session that was idle for 15 minutes', async () => {
  const browser = ada.another();
  await browser.signIn();
  stage.stage.clock.aheadMs += 16 * 60_000;
  expect((await browser.open('/console')).headers.location).toMatch(/ended=session_expired/);
});
