import { generateSync } from 'otplib';
import { DashboardStage, type PersonBrowser } from '../dashboard-stage';
import { hiddenIn } from '../form-browser';

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
    expect((await other.open(SECURITY)).body).toMatch(/<details class="confirm[^>]*id="sign-out-others"/);
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
    const unknown = await lost.sendForm('/dashboard/recovery', '/dashboard/recovery', { recovery_code: 'none' });
    expect([unknown.status, unknown.body.includes('Take another one.')]).toEqual([401, true]);
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

/** An open session alone, such as of a browser that was left unlocked, gets no secret of a new authenticator. */
describe('the secret of another authenticator (ASVS 7.5.1)', () => {
  const SHOWN = /<code>([A-Z2-7 ]{32,})<\/code>/;
  const WRONG = '000000';
  let owner: PersonBrowser;
  beforeAll(async () => {
    owner = await dashboard.stranger('swapper');
  });

  /** Where nothing was offered, the answer leads back. */
  const firstCode = (browser: PersonBrowser) =>
    dashboard.instance.readOnce.anew(() => send(browser, 'authenticator/first-code', { code: WRONG }));
  const offer = (browser: PersonBrowser, code: string) => send(browser, 'authenticator', { code });

  it('is shown by no wrong first code, where nothing was offered', async () => {
    const answer = await firstCode(owner);
    expect(SHOWN.test(answer.body)).toBe(false);
    expect(SHOWN.test((await firstCode(owner)).body)).toBe(false);
  });

  it('is shown again after a wrong first code, to the session that a fresh code was shown in', async () => {
    expect(SHOWN.test((await offer(owner, WRONG)).body)).toBe(false);
    const [, secret] = SHOWN.exec((await offer(owner, owner.merchant.nextCode())).body) ?? [];
    expect(secret).toBeDefined();
    expect(SHOWN.exec((await firstCode(owner)).body)?.[1]).toBe(secret);
  });

  it('is shown to no other session of the person', async () => {
    const other = owner.another();
    await other.signIn();
    await offer(owner, owner.merchant.nextCode());
    expect(SHOWN.test((await firstCode(other)).body)).toBe(false);
  });
});

describe('a risky form', () => {
  const PAGE = '/dashboard/test/keys/new';
  const isShownNoMore = ({ status, body }: { readonly status: number; readonly body: string }) =>
    status === 200 && body.includes('<h1>The secret was shown once</h1>');
  const FIELDS = { kind: 'sk', ends: 'never', 'payment:read': 'on' };
  let owner: PersonBrowser;
  let sent: { readonly formId: string; readonly csrf: string };
  let fields: Record<string, string>;

  beforeAll(async () => {
    owner = await dashboard.stranger('repeater');
  });
  beforeEach(async () => {
    const { body } = await owner.open(PAGE);
    sent = { formId: hiddenIn(body, 'form_id'), csrf: hiddenIn(body, 'csrf') };
    fields = { ...FIELDS, name: `Key ${sent.formId.slice(0, 8)}`, code: owner.merchant.nextCode() };
  });

  const sendKey = (browser: PersonBrowser, of = sent) => browser.sendForm(PAGE, PAGE, fields, of);
  /** The browser as it stands before any answer has come. */
  const copyOf = (browser: PersonBrowser): PersonBrowser =>
    Object.assign(browser.another(), { secret: browser.secret });
  const isSignedIn = async (browser: PersonBrowser) => (await browser.open('/dashboard/test')).status === 200;

  describe('that is sent twice, whose first answer is lost', () => {
    it('signs nobody out, where both are under way at once', async () => {
      const [one, other] = [copyOf(owner), copyOf(owner)];
      const answers = await Promise.all([sendKey(one), sendKey(other)]);
      expect(answers.map(({ status }) => status)).toStrictEqual([200, 200]);
      expect(answers.map(isShownNoMore).sort()).toStrictEqual([false, true]);
      expect(await isSignedIn(one)).toBe(true);
      expect(await isSignedIn(other)).toBe(true);
      expect(one.secret).toBe(other.secret);
      owner.secret = one.secret;
    });

    it('signs nobody out, where the second comes after the first was answered', async () => {
      const late = copyOf(owner);
      await sendKey(owner);
      expect(isShownNoMore(await sendKey(late))).toBe(true);
      expect(await isSignedIn(late)).toBe(true);
      const { body } = await owner.open('/dashboard/test/keys');
      expect(body.split(fields.name ?? '')).toHaveLength(2);
    });

    it('signs nobody out, where the first was refused after its code was taken', async () => {
      fields = { ...fields, kind: 'none' };
      const late = copyOf(owner);
      expect((await sendKey(owner)).status).toBe(400);
      await sendKey(late);
      expect(await isSignedIn(late)).toBe(true);
    });
  });

  describe('with a secret that was replaced (ASVS 7.2.4)', () => {
    it.each([
      ['by a page', (late: PersonBrowser) => late.open(PAGE)],
      ['by another form', (late: PersonBrowser) => sendKey(late, { ...sent, formId: 'f'.repeat(32) })],
      [
        'by a form without a code',
        (late: PersonBrowser) => late.sendForm(PAGE, '/dashboard/test/security/sessions/others', {}, sent),
      ],
      ['without the token of the session', (late: PersonBrowser) => sendKey(late, { ...sent, csrf: 'A'.repeat(86) })],
    ])('is not taken %s', async (_, ask) => {
      const late = copyOf(owner);
      await sendKey(owner);
      const former = late.secret;
      expect([303, 403]).toContain((await dashboard.instance.readOnce.anew(() => ask(late))).status);
      expect(late.secret).toBe(former);
      expect(await isSignedIn(late)).toBe(false);
      expect(await isSignedIn(owner)).toBe(true);
    });

    it('is not taken by the same form ten seconds later', async () => {
      const late = copyOf(owner);
      await sendKey(owner);
      dashboard.stage.clock.aheadMs += 10_001;
      expect((await sendKey(late)).headers.location).toContain('/dashboard/sign-in');
      expect(await isSignedIn(late)).toBe(false);
    });
  });
});
