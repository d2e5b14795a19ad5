import type { Page } from 'playwright-core';
import { developmentWallet } from '../support/customer';
import { OneTimeCodes } from '../support/one-time-codes';
import { ServiceInProcess } from '../support/service-in-process';
import { inBrowser } from './in-browser';

const LIMIT_MS = 120_000;
/** The local chain has made its blocks by then. */
const STEP_MS = 30_000;
const CODE_STEP_MS = 30_000;
const OWNER_INDEX = 21;
const EMAIL = 'ada@corner-shop.example';
const PASSWORD = 'plum harbour 47 lanterns';

/** Routes that the browser asks from the sign-up to the confirmed payment. Streams of changes tell no line. */
const ROUTES = [
  'GET /assets/:name',
  'GET /dashboard',
  'GET /dashboard/:mode',
  'GET /dashboard/:mode/payments/:id',
  'GET /dashboard/:mode/routes',
  'GET /dashboard/:mode/simulate',
  'GET /dashboard/:mode/simulate/:id',
  'GET /dashboard/:mode/wallets',
  'GET /dashboard/:mode/wallets/:id',
  'GET /dashboard/:mode/wallets/new',
  'GET /dashboard/enrol',
  'GET /dashboard/open-account',
  'GET /dashboard/sign-in',
  'GET /dashboard/sign-up',
  'POST /dashboard/:mode/routes',
  'POST /dashboard/:mode/simulate/:id/method',
  'POST /dashboard/:mode/simulate/:id/transfer',
  'POST /dashboard/:mode/simulate/payments',
  'POST /dashboard/:mode/wallets/:id/challenge',
  'POST /dashboard/:mode/wallets/:id/verify',
  'POST /dashboard/:mode/wallets/new',
  'POST /dashboard/enrol',
  'POST /dashboard/enrol/offer',
  'POST /dashboard/open-account',
  'POST /dashboard/sign-in',
  'POST /dashboard/sign-up',
];

type LogLine = {
  readonly level: number;
  readonly msg: string;
  readonly method: string;
  readonly route: string;
  readonly key_id: string | null;
};
/** The level of a fault, as the log numbers it. */
const ERROR_LEVEL = 50;

inBrowser('a merchant who comes for the first time', start => {
  let service: ServiceInProcess;
  let aheadMs = 0;
  beforeAll(async () => {
    service = await ServiceInProcess.start({ SANDBOX_CHAINS: 'on', LOG_LEVEL: 'info' });
  }, LIMIT_MS);
  afterAll(() => service?.stop(), LIMIT_MS);
  beforeEach(() => {
    const now = Date.now.bind(Date);
    jest.spyOn(Date, 'now').mockImplementation(() => now() + aheadMs);
  });
  afterEach(() => jest.restoreAllMocks());

  it(
    'gets from signing up to a confirmed payment by pages alone',
    async () => {
      const visit = await start();
      const { page } = visit;
      const merchant = new FirstMerchant(page);
      await visit.open(`http://localhost:${new URL(service.url).port}/dashboard`);
      await merchant.opensAnAccount();
      await merchant.setsUpAnAuthenticator();
      // A step later for the service and the authenticator: four codes are needed, and three can be had at once.
      aheadMs = CODE_STEP_MS;
      expect(await merchant.nextStep()).toBe('Prove a wallet');
      await merchant.provesAWallet();
      await merchant.setsARoute();
      await merchant.goesHome();
      expect(await merchant.doneSteps()).toEqual(['Prove a wallet', 'Set a route']);
      expect(await merchant.nextStep()).toBe('See a test payment paid');
      await merchant.playsAPayment();
      await merchant.seesItConfirmed();
      await merchant.goesHome();
      expect(await merchant.doneSteps()).toEqual(['Prove a wallet', 'Set a route', 'See a test payment paid']);
      const lines = service.logged.map(line => JSON.parse(line) as LogLine);
      const answered = lines.filter(({ msg }) => msg === 'request answered');
      expect([...new Set(answered.map(({ method, route }) => `${method} ${route}`))].sort()).toEqual(ROUTES);
      expect(answered.filter(({ key_id }) => key_id?.startsWith('key_'))).toEqual([]);
      expect(lines.filter(({ level }) => level >= ERROR_LEVEL)).toEqual([]);
    },
    LIMIT_MS,
  );
});

/** A person who follows the pages' own words and ways, and has a wallet and an authenticator app. */
class FirstMerchant {
  private codes: OneTimeCodes | null = null;

  constructor(private readonly page: Page) {}

  async opensAnAccount(): Promise<void> {
    const { page } = this;
    await this.follow('Open an account');
    await page.getByLabel('Name of your business').fill('Corner Shop');
    await page.getByLabel('Your own name').fill('Ada Brown');
    await page.getByLabel('E-mail address').fill(EMAIL);
    await this.press('Go on');
    await page.locator('.mail-shown a').click();
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await this.press('Open the account');
  }

  async setsUpAnAuthenticator(): Promise<void> {
    const { page } = this;
    await page.getByLabel('E-mail address').fill(EMAIL);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await this.press('Sign in');
    await this.press('Show the code to scan');
    await page.getByText('Type it in instead').click();
    const secret = await page.locator('details[open] code').innerText();
    this.codes = new OneTimeCodes(secret.replaceAll(' ', ''));
    await this.confirm('Set it up');
    await this.follow('I have kept them');
  }

  async provesAWallet(): Promise<void> {
    const { page } = this;
    const owner = developmentWallet(OWNER_INDEX);
    await page.locator('.first-steps').getByRole('link', { name: 'Wallets' }).click();
    await this.follow('Add a wallet');
    await page.getByLabel(/^Base/).check();
    await page.getByLabel('Address', { exact: true }).fill(owner.address);
    await page.getByLabel('Label', { exact: true }).fill('Till');
    await page.getByLabel('I hold the private key of this address').check();
    await this.confirm('Add the wallet');
    await page.getByLabel('Sign a message').check();
    await this.press('Go on');
    const text = await page.getByLabel('Text to sign').innerText();
    await page.getByLabel('Signature', { exact: true }).fill(await owner.signMessage(text));
    await this.confirm('Check the signature');
    await page.getByRole('heading', { name: 'Verified' }).waitFor();
  }

  async setsARoute(): Promise<void> {
    const { page } = this;
    await this.follow('Set a route');
    await page.getByLabel('USDC on Base').selectOption({ index: 1 });
    await this.confirm('Set the routes');
    await page.getByText('Set', { exact: true }).waitFor();
  }

  async playsAPayment(): Promise<void> {
    const { page } = this;
    await page.locator('.first-steps').getByRole('link', { name: 'Simulate' }).click();
    await this.press('Make the payment');
    await page.getByLabel('USDC on Base').check();
    await this.press('Choose');
    await page.getByLabel('Pays exactly').check();
    await this.press('Play');
  }

  /** The pages change by themselves. */
  async seesItConfirmed(): Promise<void> {
    const { page } = this;
    await this.follow('Open the payment');
    await page.locator('#status', { hasText: 'Confirmed' }).waitFor({ timeout: STEP_MS });
    for (const event of ['created', 'confirmed']) await page.locator('#timeline', { hasText: event }).waitFor();
  }

  async goesHome(): Promise<void> {
    await this.page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link', { name: 'Home' }).click();
    await this.page.getByRole('heading', { name: 'First steps' }).waitFor();
  }

  async nextStep(): Promise<string> {
    return (await this.page.locator('.first-steps li.now .title').innerText()).trim();
  }

  async doneSteps(): Promise<readonly string[]> {
    const titles = await this.page.locator('.first-steps li.done .title').allInnerTexts();
    return titles.map(title => title.replace('(done)', '').trim());
  }

  /** Sends the form of the button with the code that the authenticator app shows. */
  private async confirm(button: string): Promise<void> {
    if (this.codes === null) throw new Error('no authenticator is set up');
    const form = this.page.locator('form', { has: this.page.getByRole('button', { name: button, exact: true }) });
    await form.getByLabel('Code of your authenticator').fill(await this.codes.next());
    await this.press(button);
  }

  private press(name: string): Promise<void> {
    return this.page.getByRole('button', { name, exact: true }).click();
  }

  private follow(name: string): Promise<void> {
    return this.page.getByRole('link', { name, exact: true }).click();
  }
}
