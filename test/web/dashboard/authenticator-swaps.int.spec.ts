import { DashboardStage, type PersonBrowser } from '../dashboard-stage';

const LIMIT_MS = 60_000;
const SECURITY = '/dashboard/test/security';
const SECRET = /<code>([A-Z2-7 ]{32,})<\/code>/;
const WRONG = '000000';

let dashboard: DashboardStage;
let owner: PersonBrowser;

beforeAll(async () => {
  dashboard = await DashboardStage.open();
  owner = dashboard.owner;
}, LIMIT_MS);
afterAll(() => dashboard.close());

const firstCode = (browser: PersonBrowser) =>
  browser.sendForm(SECURITY, `${SECURITY}/authenticator/first-code`, { code: WRONG });
const offer = (browser: PersonBrowser, code: string) =>
  browser.sendForm(SECURITY, `${SECURITY}/authenticator`, { code });

/** An open session alone, such as of a browser that was left unlocked, gets no secret of a new authenticator. */
describe('the secret of another authenticator (ASVS 7.5.1)', () => {
  it('is shown by no wrong first code, where nothing was offered', async () => {
    const answer = await firstCode(owner);
    expect(SECRET.test(answer.body)).toBe(false);
    expect(SECRET.test((await firstCode(owner)).body)).toBe(false);
  });

  it('is shown again after a wrong first code, to the session that a fresh code was shown in', async () => {
    expect(SECRET.test((await offer(owner, WRONG)).body)).toBe(false);
    const [, secret] = SECRET.exec((await offer(owner, dashboard.merchant.nextCode())).body) ?? [];
    expect(secret).toBeDefined();
    expect(SECRET.exec((await firstCode(owner)).body)?.[1]).toBe(secret);
  });

  it('is shown to no other session of the person', async () => {
    const other = owner.another();
    await other.signIn();
    await offer(owner, dashboard.merchant.nextCode());
    expect(SECRET.test((await firstCode(other)).body)).toBe(false);
  });
});
