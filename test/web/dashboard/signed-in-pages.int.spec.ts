import { RateLimits } from '../../../src/platform/rate-limits/rate-limits';
import { MERCHANT_PAGES } from '../../../web/parts/page-realm';
import { ownPath } from '../../../web/http/next-path';
import { USER_COOKIE } from '../../../src/platform/http/session-cookie';
import { DashboardStage, PersonBrowser } from '../dashboard-stage';
import { hiddenIn } from '../form-browser';

const LIMIT_MS = 60_000;
const SECURITY = '/dashboard/test/security';
const PASSWORD = 'plum harbour 47 lanterns';
const LINKED = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };

let dashboard: DashboardStage;
let owner: PersonBrowser;
let nobody: PersonBrowser;

beforeAll(async () => {
  dashboard = await DashboardStage.open();
  owner = dashboard.owner;
  nobody = owner.another();
}, LIMIT_MS);
afterAll(() => dashboard.close());

const devices = async (): Promise<number> =>
  ((await owner.open(SECURITY)).body.match(/<th scope="row">/g) ?? []).length;
const signOutOthers = (sent: Parameters<PersonBrowser['sendForm']>[3] = {}) =>
  owner.sendForm(SECURITY, `${SECURITY}/sessions/others`, {}, sent);

describe('a page of the dashboard', () => {
  it('is shown to its person, with the headers of pages', async () => {
    const { status, headers, body } = await owner.open('/dashboard/test');
    expect([status, headers['cache-control']]).toStrictEqual([200, 'no-store']);
    expect(headers['content-security-policy']).toContain("require-trusted-types-for 'script'");
    expect(body).toContain('Corner Shop');
    expect(body).not.toMatch(/<style|style=|\son[a-z]+=|<script(?![^>]*src=)|javascript:/);
  });

  it('says in which mode it is', async () => {
    expect((await owner.open('/dashboard/test')).body).toContain('Test mode: no real money moves');
    expect((await owner.open('/dashboard/live')).body).not.toContain('class="mode-bar"');
    expect((await owner.open('/dashboard/none')).status).toBe(404);
  });

  it.each([
    '',
    '/payments',
    '/reviews',
    '/transfers',
    '/links',
    '/invoices',
    '/wallets',
    '/webhooks',
    '/events',
    '/outbox',
  ])('changes by itself: %s', async path => {
    const { body } = await owner.open(`/dashboard/test${path}`);
    const [, main = ''] = body.split('<main');
    expect(body).toContain(`data-events="/dashboard/test${path}"`);
    expect(main).toContain('data-live="true"');
  });

  it.each([
    ['/dashboard/test/', '/dashboard/test'],
    ['/dashboard/test/payments//?status=held', '/dashboard/test/payments?status=held'],
    ['/dashboard/', '/dashboard'],
  ])('is found by its address with a slash at the end: %s', async (path, page) => {
    const { status, headers } = await owner.open(path);
    expect([status, headers.location]).toStrictEqual([303, page]);
    expect((await owner.sendRaw(path, { headers: {}, body: '' })).status).toBeGreaterThanOrEqual(400);
  });

  it.each([
    ['/dashboard/test', '?next=%2Fdashboard%2Ftest'],
    ['/dashboard/live/security?tab=1', '?next=%2Fdashboard%2Flive%2Fsecurity%3Ftab%3D1'],
  ])('leads from %s to signing in where nobody is signed in', async (path, query) => {
    const { status, headers } = await nobody.open(path);
    expect([status, headers.location]).toStrictEqual([303, `/dashboard/sign-in${query}`]);
  });

  it('tells a script, which can show no page, that nobody is signed in', async () => {
    const answer = await nobody.open('/dashboard/test', { 'sec-fetch-dest': 'empty', accept: 'application/json' });
    expect([answer.status, answer.headers.location]).toStrictEqual([401, undefined]);
    expect(answer.body).toContain('unknown_session');
  });

  it('has a browser ask again after a mail’s link, whose request has no cookie', async () => {
    const answer = await nobody.open(SECURITY, LINKED);
    expect(answer.status).toBe(200);
    expect(answer.body).toContain('<meta http-equiv="refresh" content="0">');
    expect(answer.body).not.toContain('security');
  });

  it.each([['sec-fetch-mode'], ['sec-fetch-dest'], ['sec-fetch-site']])(
    'asks again for nothing else than a link: %s',
    async header => {
      const answer = await nobody.open(SECURITY, { ...LINKED, [header]: 'same-origin' });
      expect([answer.status, answer.body]).toStrictEqual([303, '']);
    },
  );

  it('takes no key, and the API no cookie', async () => {
    const authorization = `Bearer ${dashboard.merchant.registered.keys.test}`;
    expect((await nobody.open('/dashboard/test', { authorization })).status).toBe(303);
    expect((await owner.open('/v1/payment_intents', { accept: 'application/json' })).status).toBe(401);
  });

  it.each([
    [`${SECURITY}/password`, SECURITY],
    [`${SECURITY}/sessions/ses_1/sign-out`, SECURITY],
    ['/dashboard/enrol/offer', '/dashboard/enrol'],
    ['/dashboard/sign-out', '/dashboard'],
  ])('is found again from its form’s address %s', async (path, page) => {
    const { status, headers } = await owner.open(path);
    expect([status, headers.location]).toStrictEqual([303, page]);
  });
});

describe('a form of the dashboard (ASVS 3.5.1)', () => {
  it('acts once for two clicks', async () => {
    await owner.another().signIn();
    const { body } = await owner.open(SECURITY);
    expect(await devices()).toBe(2);
    const sent = { formId: hiddenIn(body, 'form_id'), csrf: hiddenIn(body, 'csrf') };
    const answers = await Promise.all([signOutOthers(sent), signOutOthers(sent)]);
    expect(answers.map(({ status, headers }) => [status, headers.location])).toStrictEqual([
      [303, SECURITY],
      [303, SECURITY],
    ]);
    expect(await devices()).toBe(1);
  });

  it.each([
    ['of another site', { headers: { 'sec-fetch-site': 'cross-site' } }, 403],
    ['of a neighbouring host', { headers: { 'sec-fetch-site': 'same-site' } }, 403],
    ['that a person typed in', { headers: { 'sec-fetch-site': 'none' } }, 403],
    ['of another origin, by an old browser', { headers: { 'sec-fetch-site': '', origin: 'https://a.example' } }, 403],
    ['as JSON', { headers: { 'content-type': 'application/json' } }, 415],
    ['without a true token', { csrf: 'A'.repeat(86) }, 403],
    ['with a short token', { csrf: 'AAAA' }, 403],
    ['without an id of ours', { formId: 'mine' }, 400],
  ])('%s has no effect', async (_, sent, status) => {
    await owner.another().signIn();
    expect((await signOutOthers(sent)).status).toBe(status);
    expect(await devices()).toBe(2);
    await signOutOthers();
  });

  it('takes no token of another session', async () => {
    const stranger = await dashboard.stranger();
    const csrf = hiddenIn((await stranger.open(SECURITY)).body, 'csrf');
    expect((await signOutOthers({ csrf })).status).toBe(403);
  });

  it('shows its token anew each time, and takes each', async () => {
    const [one, other] = [(await owner.open(SECURITY)).body, (await owner.open(SECURITY)).body];
    expect(hiddenIn(one, 'csrf')).not.toBe(hiddenIn(other, 'csrf'));
    for (const body of [one, other]) {
      const sent = { csrf: hiddenIn(body, 'csrf'), formId: hiddenIn(body, 'form_id') };
      expect((await signOutOthers(sent)).status).toBe(303);
    }
  });

  it('is shown again where it is refused, with the reason at its field and no password', async () => {
    const fields = { present: 'a wrong one', wanted: 'a better one of many words' };
    const answer = await owner.sendForm(SECURITY, `${SECURITY}/password`, fields);
    expect(answer.status).toBe(401);
    expect(answer.body).toContain('role="alert"');
    expect(answer.body).not.toMatch(/a wrong one|a better one/);
  });

  it('takes a fresh code where it is risky, and gives the session another secret', async () => {
    const path = `${SECURITY}/recovery-codes`;
    const refused = await owner.sendForm(SECURITY, path, { code: '000000' });
    expect([refused.status, refused.headers['set-cookie']]).toStrictEqual([401, undefined]);
    expect(refused.body).toContain('aria-invalid="true"');
    const before = owner.secret;
    const answer = await owner.sendForm(SECURITY, path, { code: owner.merchant.nextCode() });
    expect(answer.status).toBe(200);
    expect(answer.headers['set-cookie']).toStrictEqual([
      `__Host-qt_session=${owner.secret}; Path=/; Secure; HttpOnly; SameSite=Strict`,
    ]);
    expect(owner.secret).not.toBe(before);
    expect(answer.headers['content-encoding']).toBeUndefined();
    expect(answer.body.match(/<code>/g)).toHaveLength(10);
    const former = owner.another();
    former.secret = before;
    expect((await former.open('/dashboard/test')).headers.location).toContain('ended=session_revoked');
  });
});

describe('signing in', () => {
  it('leads to the page that was wanted', async () => {
    const answer = await owner.another().signIn(SECURITY);
    expect([answer.status, answer.headers.location]).toStrictEqual([303, SECURITY]);
    expect((await owner.another().signIn('https://evil.example/')).headers.location).toBe('/dashboard');
  });

  it('says the same for a wrong password and for an unknown address', async () => {
    const answers = [];
    for (const email of [owner.email, 'nobody@shop.example'])
      answers.push(
        await nobody.sendForm('/dashboard/sign-in', '/dashboard/sign-in', { email, password: 'wrong', next: '' }),
      );
    const [known, unknown] = answers.map(({ status, body }) => [status, body.replaceAll(/value="[^"]*"/g, '')]);
    expect(known).toStrictEqual(unknown);
    expect(known?.[0]).toBe(401);
  });

  it('gives a cookie of this host, for no script and no other site (ASVS 3.3.1, 3.3.2, 3.3.3, 3.3.4)', async () => {
    const browser = owner.another();
    const { headers } = await browser.startSignIn();
    const cookie = `__Host-qt_session=${browser.secret}; Path=/; Secure; HttpOnly; SameSite=Strict`;
    expect(headers['set-cookie']).toStrictEqual([cookie]);
  });

  it('stops before the code, and goes on there', async () => {
    const started = owner.another();
    expect((await started.startSignIn()).headers.location).toBe('/dashboard/code');
    expect((await started.open('/dashboard/test')).headers.location).toBe('/dashboard/code');
    const wrong = await started.sendForm('/dashboard/code', '/dashboard/code', { code: '000000', next: '' });
    expect([wrong.status, wrong.body.includes('aria-invalid="true"')]).toStrictEqual([401, true]);
  });

  it('sends no form of another site', async () => {
    const fields = { email: owner.email, password: PASSWORD, next: '' };
    const sent = { headers: { 'sec-fetch-site': 'cross-site' } };
    const answer = await nobody.sendForm('/dashboard/sign-in', '/dashboard/sign-in', fields, sent);
    expect([answer.status, answer.headers['set-cookie']]).toStrictEqual([403, undefined]);
  });

  it('ends with signing out, which each page offers and which forgets the cookie (ASVS 7.4.4)', async () => {
    const browser = owner.another();
    await browser.signIn();
    const { secret } = browser;
    for (const path of ['/dashboard/test', '/dashboard/live', SECURITY, '/dashboard/test/payments/new'])
      expect((await browser.open(path)).body).toContain('action="/dashboard/sign-out"');
    const answer = await browser.sendForm('/dashboard/test', '/dashboard/sign-out');
    expect([answer.status, answer.headers.location]).toStrictEqual([303, '/dashboard/sign-in']);
    expect(answer.headers['set-cookie']?.[0]).toContain('Max-Age=0');
    browser.secret = secret;
    expect((await browser.open('/dashboard/test')).status).toBe(303);
  });
});

test.each([
  ['/dashboard/test/payments?status=confirmed', true],
  ['/dashboard', true],
  ['//evil.example', false],
  ['/dashboard//evil.example', false],
  ['https://evil.example/dashboard', false],
  ['/dashboard/../v1', false],
  ['/console', false],
  ['/dashboard\\evil', false],
  ['/dashboardevil', false],
  [`/dashboard/${'a'.repeat(600)}`, false],
])('of %s it is %s that signing in leads there', (path, isOwn) => {
  expect(ownPath(MERCHANT_PAGES, path)).toBe(isOwn ? path : null);
});

const SECRET = 'abcdefghijklmnopqrstuvwxyz0123456789_-ABCDE';
test.each([
  [`__Host-qt_session=${SECRET}`, SECRET],
  [`a=b; __Host-qt_session=${SECRET}; c=d`, SECRET],
  [`__Host-qt_session=${SECRET}; __Host-qt_session=other_secret_of_some_length`, null],
  [`qt_session=${SECRET}`, null],
  ['__Host-qt_session=', null],
  [undefined, null],
])('the cookies %s hold the secret %s', (header, secret) => {
  expect(USER_COOKIE.secretIn(header)).toBe(secret);
});

describe('the limit of requests', () => {
  const TRIES = 12;
  const statuses = async (browser: PersonBrowser): Promise<readonly number[]> => {
    const answers = Array.from({ length: TRIES }, () => browser.open('/dashboard/test'));
    return (await Promise.all(answers)).map(({ status }) => status);
  };

  it('is a person’s own, and neighbours without a session use up their address', async () => {
    const { stage, merchant } = dashboard;
    const rates = { write: 100, read: 100, address: 1 };
    const rateLimits = await RateLimits.open(stage.core.documents, stage.clock, rates);
    const limited = new PersonBrowser(await stage.startInstance({ rateLimits }), merchant, owner.email);
    const refused = await statuses(limited.another());
    expect(refused).toContain(303);
    expect(refused).toContain(429);
    limited.secret = owner.secret;
    expect(new Set(await statuses(limited))).toStrictEqual(new Set([200]));
  });
});
