import type { Page, Request } from 'playwright-core';
import { getBytes, toUtf8String } from 'ethers';
import { timedId } from '../../../src/vocabulary/ids';
import * as h from '../../modules/payment-intents/histories';
import { developmentWallet } from '../../support/customer';
import { termsOf } from '../../support/payment-terms';
import { tellEvents } from '../../support/tell-events';
import { tronOwner } from '../../support/tron-customer';
import { DashboardStage, type PersonBrowser } from '../dashboard-stage';
import { hiddenWidth, sidewaysScroll } from '../checks';
import { inBrowser } from '../in-browser';
import { stubEvmWallet, stubTronWallet, WalletError, type EvmWallet } from '../stub-wallets';
import type { Look, Visit } from '../visit';
import { stagedPayment } from './staged-payments';
import { seeDeposit } from './wallet-stage';

const LIMIT_MS = 60_000;
const SWAP_LIMIT_MS = 10_000;
const SECURITY = '/dashboard/test/security';
const FORM = 'application/x-www-form-urlencoded';
const BASE_TEST = '0x14a34';
const never = () => {
  throw new Error('a wallet was asked for a transfer');
};

inBrowser('the dashboard', start => {
  let dashboard: DashboardStage;

  beforeAll(async () => {
    dashboard = await DashboardStage.open();
  }, LIMIT_MS);
  afterAll(() => dashboard.close());

  /** A visit with the cookie of a person, by default of the owner. */
  async function signedIn(look: Look = {}, person = dashboard.owner): Promise<Visit> {
    const visit = await start(look);
    await visit.context.addCookies([dashboard.cookie(person.secret)]);
    return visit;
  }

  /** A page of another site: 127.0.0.1 and localhost are two. */
  describe('another site (ASVS 3.5.1, 3.5.8)', () => {
    let person: PersonBrowser;

    beforeAll(async () => {
      person = await dashboard.stranger('visited');
    }, LIMIT_MS);

    const devices = async (): Promise<number> =>
      ((await person.open(SECURITY)).body.match(/<th scope="row">/g) ?? []).length;

    /** A visit that is signed in at localhost and looks at a page of 127.0.0.1, which holds `body`. */
    async function foreignPage(body: string) {
      const visit = await signedIn({}, person);
      const site = `http://127.0.0.1:${dashboard.instance.port}/foreign`;
      await visit.context.route(site, route => route.fulfill({ contentType: 'text/html', body }));
      await visit.open(site);
      return visit;
    }

    it(
      'leads a signed-in person to a page, which is then shown',
      async () => {
        const visit = await foreignPage(`<a href="${dashboard.url(SECURITY)}">Your account</a>`);
        await visit.page.click('a');
        await visit.page.waitForSelector('h1');
        expect(visit.page.url()).toBe(dashboard.url(SECURITY));
        expect(await visit.page.textContent('h1')).toBe('Security');
        visit.takeFaults();
      },
      LIMIT_MS,
    );

    it.each([
      ['a form', `document.forms[0].submit()`],
      [
        'a script',
        `fetch(URL, { method: 'POST', mode: 'no-cors', credentials: 'include', body: new URLSearchParams(FIELDS) })`,
      ],
      ['a frame', `document.body.append(Object.assign(document.createElement('iframe'), { src: PAGE }))`],
    ])(
      'changes nothing by %s, also where it knows a token',
      async (_, script) => {
        await person.another().signIn();
        const { body } = await person.open(SECURITY);
        const fields = ['csrf', 'form_id'].map(name => [
          name,
          new RegExp(`name="${name}" value="([^"]*)"`).exec(body)?.[1],
        ]);
        const url = dashboard.url(`${SECURITY}/sessions/others`);
        const inputs = fields.map(([name, value]) => `<input type="hidden" name="${name}" value="${value}">`).join('');
        const form = `<form method="post" action="${url}" enctype="${FORM}">${inputs}</form>`;
        const visit = await foreignPage(`<body>${form}</body>`);
        const isOurs = (request: Request) => request.url().startsWith(dashboard.url('/dashboard'));
        const ended = Promise.race([
          visit.page.waitForEvent('requestfinished', isOurs),
          visit.page.waitForEvent('requestfailed', isOurs),
        ]);
        const given = `const URL = ${JSON.stringify(url)}, PAGE = ${JSON.stringify(dashboard.url(SECURITY))},
        FIELDS = ${JSON.stringify(Object.fromEntries(fields))};`;
        await visit.page.evaluate(`(() => { ${given} ${script}; })()`);
        await ended;
        expect(await devices()).toBeGreaterThanOrEqual(2);
        const shown = await Promise.all(visit.page.frames().map(frame => frame.content().catch(() => '')));
        expect(shown.join('')).not.toContain('Corner Shop');
        visit.takeFaults();
      },
      LIMIT_MS,
    );
  });

  describe('the script', () => {
    async function at(path: string): Promise<Visit> {
      const visit = await signedIn();
      await visit.open(dashboard.url(path));
      return visit;
    }

    it(
      'shows a change by itself, and leaves what is typed',
      async () => {
        const { page } = await at(SECURITY);
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
        const visit = await at(SECURITY);
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
        const visit = await signedIn({}, other);
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
      const visit = await signedIn({}, person);
      const { page, context } = visit;
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
        await page.click('[aria-label=Passkeys] summary');
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

  describe('a payment', () => {
    it(
      'follows what happens, the slider and the search, without a button',
      async () => {
        const { stage, merchant } = dashboard;
        const id = await stagedPayment(dashboard, 'confirming');
        const visit = await signedIn();
        const { page } = visit;
        const shows = (text: string) => page.getByText(text).first().waitFor({ timeout: SWAP_LIMIT_MS });
        await visit.open(dashboard.url(`/dashboard/test/payments/${id}`));
        await shows('now, event 3');
        const facts = { merchant: merchant.id, atMs: stage.clock.now() };
        await tellEvents(stage.core.store, `test.payment_intent-${id}`, [h.screened(h.PAYER, 'clear')], facts);
        await shows('Payer cleared');
        await page.focus('#as-of');
        await page.keyboard.press('ArrowLeft');
        await page.keyboard.press('ArrowLeft');
        await shows('event 2 of 4');
        expect(new URL(page.url()).search).toBe('?as_of=2');
        await visit.open(dashboard.url('/dashboard/test/payments'));
        await page.fill('[name=search]', 'order=43');
        await shows('No payment passes these filters');
        await page.fill('[name=search]', 'order=42');
        await shows('Newest first, 1 shown');
        expect(new URL(page.url()).search).toBe('?search=order%3D42');
      },
      LIMIT_MS,
    );

    it(
      'keeps its page, and the columns of its list, in sight whatever long words a shop writes',
      async () => {
        const { stage, merchant } = dashboard;
        const atMs = stage.clock.now();
        const [id, named] = [1, 2].map(number => timedId('pi', atMs, Buffer.alloc(10, 240 + number)));
        const metadata = { ['k'.repeat(40)]: 'v'.repeat(200) };
        for (const [each, terms] of [
          [id, { description: 'W'.repeat(90), metadata }],
          [named, { description: null, metadata }],
        ] as const) {
          const created = { type: 'PaymentIntentCreated', data: termsOf(terms) } as const;
          const history = [created, ...h.HISTORIES.confirmed.slice(1)];
          await tellEvents(stage.core.store, `test.payment_intent-${each}`, history, { merchant: merchant.id, atMs });
        }
        await stage.project();
        for (const screen of ['desktop', 'phone'] as const) {
          const visit = await signedIn({ screen });
          await visit.open(dashboard.url(`/dashboard/test/payments/${id}`));
          expect(await sidewaysScroll(visit.page)).toEqual([]);
        }
        const visit = await signedIn();
        await visit.open(dashboard.url('/dashboard/test/payments'));
        await visit.page.getByText('WWWWWWWW').first().waitFor();
        expect(await hiddenWidth(visit.page)).toBe(0);
      },
      LIMIT_MS,
    );
  });

  describe('proving a wallet by a wallet of the browser', () => {
    const signer = developmentWallet(40);
    let wallet: string;

    beforeAll(async () => {
      wallet = await asked({ address: signer.address });
    }, LIMIT_MS);

    async function asked(terms: object, method = 'signed_message'): Promise<string> {
      const { id } = await dashboard.merchant.registerWallet(terms);
      await dashboard.merchant.done(`POST /v1/wallets/${String(id)}/challenge`, { body: { method } });
      return String(id);
    }

    async function withEvm(changes: Partial<EvmWallet> = {}) {
      const visit = await signedIn();
      const sign = ([text]: readonly unknown[]) => signer.signMessage(toUtf8String(getBytes(String(text))));
      const stub = { address: signer.address.toLowerCase(), chainId: BASE_TEST, send: never, ...changes };
      const calls = await stubEvmWallet(visit, { ...stub, answers: { personal_sign: sign, ...changes.answers } });
      await visit.open(dashboard.url(`/dashboard/test/wallets/${wallet}`));
      return { page: visit.page, calls, methods: () => calls.map(({ method }) => method) };
    }

    const told = (page: Page, text: string) => page.locator('[data-wallet] [role=status]', { hasText: text }).waitFor();

    /** Clicks the wallet's button, types the code that is asked for, and sends the form. */
    async function prove(page: Page, button: string): Promise<void> {
      await page.getByRole('button', { name: button }).click();
      await told(page, 'Signed. Type the code');
      expect(await page.evaluate('document.activeElement.name')).toBe('code');
      await page.keyboard.type(dashboard.merchant.nextCode());
      await page.getByRole('button', { name: 'Check the signature' }).click();
      await page.getByRole('heading', { name: 'Verified' }).waitFor();
      const cookies = await page.context().cookies();
      dashboard.owner.secret = cookies.find(({ name }) => name === '__Host-qt_session')?.value ?? '';
    }

    it('asks for no signature where the wallet shows another account', async () => {
      const { page, methods } = await withEvm({ address: developmentWallet(1).address });
      await page.getByRole('button', { name: 'Sign with Stub Wallet' }).click();
      await told(page, 'The wallet shows another account.');
      expect(methods()).toEqual(['eth_requestAccounts']);
    });

    it.each([
      ['has rejected it', 4001, '0x1', 'wallet_switchEthereumChain'],
      ['did not sign', -32603, BASE_TEST, 'personal_sign'],
    ])('tells that the wallet %s, and leaves the field empty', async (words, code, chainId, method) => {
      const refuse = () => {
        throw new WalletError(code);
      };
      const { page } = await withEvm({ chainId, answers: { [method]: refuse } });
      await page.getByRole('button', { name: 'Sign with Stub Wallet' }).click();
      await told(page, words);
      expect(await page.getByLabel('Signature').inputValue()).toBe('');
    });

    it('has an EVM wallet on another network switched first, and takes its signature alone', async () => {
      const { page, methods, calls } = await withEvm({ chainId: '0x1' });
      await prove(page, 'Sign with Stub Wallet');
      const reached = ['eth_chainId', 'wallet_switchEthereumChain', 'eth_chainId'];
      expect(methods()).toEqual(['eth_requestAccounts', ...reached, 'personal_sign']);
      expect(calls.at(-1)?.params).toEqual([expect.stringMatching(/^0x[\da-f]+$/), signer.address]);
    });

    it('takes the signature of a TRON wallet', async () => {
      const owner = tronOwner(41);
      wallet = await asked({ network_id: 'tron', address: owner.address });
      const visit = await signedIn({ screen: 'phone' });
      const sign = ([text]: readonly unknown[]) => owner.signMessage(String(text));
      const stub = { address: owner.address, chainId: '0x1', send: never, answers: { signMessageV2: sign } };
      const calls = await stubTronWallet(visit, stub);
      await visit.open(dashboard.url(`/dashboard/test/wallets/${wallet}`));
      await prove(visit.page, 'Sign with TronLink');
      expect(calls.map(({ method }) => method)).toEqual(['eth_requestAccounts', 'signMessageV2']);
    });

    it('follows a micro-deposit without a reload', async () => {
      const id = await asked({ address: developmentWallet(42).address }, 'micro_deposit');
      const { page, open } = await signedIn().then(visit => ({ page: visit.page, open: visit.open.bind(visit) }));
      await open(dashboard.url(`/dashboard/test/wallets/${id}`));
      await page.locator('[role=timer]', { hasText: /^(?:30:00|29:\d\d)$/ }).waitFor();
      await seeDeposit(dashboard, id);
      await page.getByText('The deposit is seen.').waitFor();
    });
  });
});
