import { ERROR_CATALOGUE } from '../../../src/vocabulary/error-catalogue';
import { DashboardStage, hiddenIn, type PersonBrowser } from '../dashboard-stage';

const LIMIT_MS = 60_000;
const PAGE = '/dashboard/test/keys/new';
/** A key is shown once. */
const SHOWN_ONCE = ERROR_CATALOGUE.idempotency_response_unavailable.status;
const FIELDS = { kind: 'sk', ends: 'never', 'payment:read': 'on' };

let dashboard: DashboardStage;
let owner: PersonBrowser;
let sent: { readonly formId: string; readonly csrf: string };
let fields: Record<string, string>;

beforeAll(async () => {
  dashboard = await DashboardStage.open();
  owner = dashboard.owner;
}, LIMIT_MS);
afterAll(() => dashboard.close());
beforeEach(async () => {
  const { body } = await owner.open(PAGE);
  sent = { formId: hiddenIn(body, 'form_id'), csrf: hiddenIn(body, 'csrf') };
  fields = { ...FIELDS, name: `Key ${sent.formId.slice(0, 8)}`, code: dashboard.merchant.nextCode() };
});

const send = (browser: PersonBrowser, of = sent) => browser.sendForm(PAGE, PAGE, fields, of);
/** The browser as it stands before any answer has come. */
const copyOf = (browser: PersonBrowser): PersonBrowser => Object.assign(browser.another(), { secret: browser.secret });
const isSignedIn = async (browser: PersonBrowser) => (await browser.open('/dashboard/test')).status === 200;

describe('a risky form that is sent twice, whose first answer is lost', () => {
  it('signs nobody out, where both are under way at once', async () => {
    const [one, other] = [copyOf(owner), copyOf(owner)];
    const answers = await Promise.all([send(one), send(other)]);
    expect(answers.map(({ status }) => status).sort()).toStrictEqual([200, SHOWN_ONCE]);
    expect(await isSignedIn(one)).toBe(true);
    expect(await isSignedIn(other)).toBe(true);
    expect(one.secret).toBe(other.secret);
    owner.secret = one.secret;
  });

  it('signs nobody out, where the second comes after the first was answered', async () => {
    const late = copyOf(owner);
    await send(owner);
    expect((await send(late)).status).toBe(SHOWN_ONCE);
    expect(await isSignedIn(late)).toBe(true);
    const { body } = await owner.open('/dashboard/test/keys');
    expect(body.split(fields.name ?? '')).toHaveLength(2);
  });

  it('signs nobody out, where the first was refused after its code was taken', async () => {
    fields = { ...fields, kind: 'none' };
    const late = copyOf(owner);
    expect((await send(owner)).status).toBe(400);
    await send(late);
    expect(await isSignedIn(late)).toBe(true);
  });
});

describe('a secret that was replaced (ASVS 7.2.4)', () => {
  it.each([
    ['by a page', (late: PersonBrowser) => late.open(PAGE)],
    ['by another form', (late: PersonBrowser) => send(late, { ...sent, formId: 'f'.repeat(32) })],
    [
      'by a form without a code',
      (late: PersonBrowser) => late.sendForm(PAGE, '/dashboard/test/security/sessions/others', {}, sent),
    ],
    ['without the token of the session', (late: PersonBrowser) => send(late, { ...sent, csrf: 'A'.repeat(86) })],
  ])('is not taken %s', async (_, ask) => {
    const late = copyOf(owner);
    await send(owner);
    const former = late.secret;
    expect([303, 403]).toContain((await ask(late)).status);
    expect(late.secret).toBe(former);
    expect(await isSignedIn(late)).toBe(false);
    expect(await isSignedIn(owner)).toBe(true);
  });

  it('is not taken by the same form ten seconds later', async () => {
    const late = copyOf(owner);
    await send(owner);
    dashboard.stage.clock.aheadMs += 10_001;
    expect((await send(late)).headers.location).toContain('/dashboard/sign-in');
    expect(await isSignedIn(late)).toBe(false);
  });
});
