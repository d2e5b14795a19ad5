import { DashboardStage } from './dashboard-stage';
import { inBrowser } from './in-browser';
import type { Visit } from './visit';

const START_LIMIT_MS = 60_000;
const LIMIT_MS = 60_000;
const SECURITY = '/dashboard/test/security';

inBrowser('the script of the dashboard', start => {
  let dashboard: DashboardStage;

  beforeAll(async () => {
    dashboard = await DashboardStage.open();
  }, START_LIMIT_MS);
  afterAll(() => dashboard.close());

  async function signedIn(path: string): Promise<Visit> {
    const visit = await start();
    await visit.context.addCookies([dashboard.cookie(dashboard.owner.secret)]);
    await visit.open(dashboard.url(path));
    return visit;
  }

  it(
    'shows a change by itself, and leaves what is typed',
    async () => {
      const { page } = await signedIn(SECURITY);
      await page.fill('[name=present]', 'half a pass');
      await dashboard.owner.another().signIn();
      await page.waitForSelector('#devices tbody tr:nth-child(2)');
      expect(await page.inputValue('[name=present]')).toBe('half a pass');
    },
    LIMIT_MS,
  );

  it(
    'sends a form once for two clicks',
    async () => {
      const visit = await signedIn(SECURITY);
      const { page } = visit;
      const sent: string[] = [];
      page.on('request', request => request.method() === 'POST' && sent.push(request.url()));
      await page.fill('[name=present]', 'wrong');
      await page.fill('[name=wanted]', 'wrong too, and long');
      await page.dblclick('text=Change the password');
      await page.waitForSelector('[role=alert]');
      expect(sent).toStrictEqual([dashboard.url(`${SECURITY}/password`)]);
      // A browser tells of each answer that is an error.
      expect(visit.takeFaults()).toHaveLength(1);
    },
    LIMIT_MS,
  );

  it(
    'ends the page’s stream where its person has signed out',
    async () => {
      const other = dashboard.owner.another();
      await other.signIn();
      const visit = await start();
      await visit.context.addCookies([dashboard.cookie(other.secret)]);
      await visit.open(dashboard.url(SECURITY));
      await other.sendForm(SECURITY, '/dashboard/sign-out');
      await visit.page.waitForSelector('#not-current:not([hidden])');
      await visit.page.click('#not-current a');
      await visit.page.waitForURL(/sign-in/);
      visit.takeFaults();
    },
    LIMIT_MS,
  );

  /** A browser with an authenticator, whose person is verified or not. */
  async function withAuthenticator(isUserVerified: boolean) {
    const person = await dashboard.stranger(`passkey-${isUserVerified}`);
    const visit = await start();
    const { page, context } = visit;
    await context.addCookies([dashboard.cookie(person.secret)]);
    await visit.open(dashboard.url(SECURITY));
    const cdp = await context.newCDPSession(page);
    await cdp.send('WebAuthn.enable');
    const options = { protocol: 'ctap2', transport: 'internal' } as const;
    const abilities = { hasResidentKey: true, hasUserVerification: true, isUserVerified };
    const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
      options: { ...options, ...abilities, automaticPresenceSimulation: true },
    });
    const verify = (isVerified: boolean) =>
      cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: isVerified });
    const add = async () => {
      await page.fill('#passkey-code', person.merchant.nextCode());
      await page.click('text=Add a passkey');
    };
    return { visit, page, person, verify, add };
  }

  it(
    'adds a passkey, signs in by it, and removes it',
    async () => {
      const { visit, page, verify, add } = await withAuthenticator(true);
      await add();
      await page.waitForSelector('[aria-label=Passkeys]');
      await page.click('text=Sign out >> nth=0');
      await page.waitForURL(/sign-in/);
      await verify(false);
      await page.click('text=Sign in with a passkey');
      await page.waitForSelector('text=No passkey was used.');
      await verify(true);
      await page.click('text=Sign in with a passkey');
      await page.waitForURL(/dashboard\/live$/);
      await visit.open(dashboard.url(SECURITY));
      await page.click('[aria-label=Passkeys] button');
      await page.waitForSelector('text=You have no passkey.');
      await page.click('text=Sign out >> nth=0');
      await page.waitForURL(/sign-in/);
      await page.click('text=Sign in with a passkey');
      await page.waitForSelector('[data-passkey] [role=status]:not(:empty)');
      expect(page.url()).toContain('sign-in');
      // A browser tells of each answer that is an error.
      expect(visit.takeFaults()).toHaveLength(1);
    },
    LIMIT_MS,
  );

  it(
    'adds no passkey of an authenticator that does not verify its person',
    async () => {
      const { page, person, add } = await withAuthenticator(false);
      await add();
      await page.waitForSelector('text=No passkey was used.');
      const secret = (await page.context().cookies()).find(({ name }) => name.endsWith('qt_session'))?.value ?? '';
      person.secret = secret;
      expect((await person.open(SECURITY)).body).toContain('You have no passkey.');
    },
    LIMIT_MS,
  );
});
