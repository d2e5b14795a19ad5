import { ModulesContainer } from '@nestjs/core';
import { adminRoutesOf } from '../../src/platform/http/openapi-routes';
import { userIdOfEmail } from '../../src/modules/users/registration';
import { STATUSES } from '../../src/modules/payment-intents/payment-intent.transitions';
import { developmentWallet } from '../support/customer';
import { RoundTrips } from '../support/round-trips';
import { CONSOLE_PAGES, lookers as administrators } from './console/console-pages';
import { stagedConsole, type StagedConsole } from './console/staged-console';
import { ConsoleStage, type AdminBrowser } from './console-stage';
import { DASHBOARD_PAGES, lookers as people } from './dashboard-pages';
import { DashboardStage } from './dashboard-stage';
import { beginKyb, CASE, PDF, upload } from './dashboard/account-stage';
import { developersObjects } from './dashboard/developers-stage';
import { ISOLATION_ROWS } from './dashboard/isolation-rows';
import { ownWallet } from './dashboard/own-wallet';
import { quotedPayment, rankedAs, stagedPayment, stagedTransfer } from './dashboard/staged-payments';
import type { FormBrowser } from './form-browser';
import { Reads } from './reads';
import { CustomerBrowser } from './customer-browser';
import { stagedInvoice, stagedLink } from './dashboard/staged-business';

const LIMIT_MS = 120_000;
const PASSWORD = 'plum harbour 47 lanterns';
const HOME = '/dashboard/test';
const MODE = '/dashboard/{mode}';
const SECURITY = `${HOME}/security`;
const CODE = /<code>([^<]+)<\/code>/;

/** The clock's forms work off all that falls due: each deadline and each message is a work of its own. */
const WORKS_OFF = /\/clock$/;

const trips = new RoundTrips();
let reads: Reads;
beforeEach(() => void (reads = new Reads(trips)));

describe('of the dashboard', () => {
  let dashboard: DashboardStage;
  beforeAll(async () => void (dashboard = await DashboardStage.open({ trips })), LIMIT_MS);
  afterAll(() => dashboard.close());

  /** The table's fields are refused for these. All but the last are sent below so that they are taken. */
  const REFUSED = [
    ...['transfers/{id}/attribute', 'events/{id}/redeliver', 'wallets/{id}/verify', 'settings/users/{id}/invite'],
    ...['settings/users/{id}/withdraw', 'settings/users/{id}/role', 'settings/users/{id}/disable'],
    'simulate/{id}/transfer',
  ];

  it(
    'each form about an object reads everything once',
    async () => {
      const { owner } = dashboard;
      for (const { object, route, from: page = SECURITY, fields, asksCode, method } of ISOLATION_ROWS) {
        if (method === 'GET' || WORKS_OFF.test(route)) continue;
        const path = route.replace('{mode}', 'test').replace(/\{\w+\}/, await object(dashboard));
        const code = asksCode && { code: owner.merchant.nextCode() };
        await reads.form(owner, { page, path, name: route, fields: { ...fields, ...code } });
      }
      expect([reads.twice, reads.refused.toSorted()]).toEqual([[], REFUSED.map(path => `${MODE}/${path}`).toSorted()]);
    },
    LIMIT_MS,
  );

  it(
    'so does each that takes the very words of an object',
    async () => {
      const { owner, merchant } = dashboard;
      const risky = (path: string, fields: object = {}) => form(owner, path, { ...fields, code: merchant.nextCode() });
      const { id: payment, due } = await quotedPayment(dashboard, await ownWallet(owner));
      const { id: transfer, txHash } = await stagedTransfer(dashboard, due - 300_000n);
      await rankedAs(dashboard, txHash, payment);
      // The form is for a transfer in the queue alone, which the command does not ask for.
      await form(owner, `transfers/${transfer}/attribute`, { payment_intent: payment }, ['readStream transfer']);
      const { event, endpoint } = await developersObjects(dashboard);
      // Its last form of the table has disabled it.
      await risky(`webhooks/${endpoint}/enable`);
      // The receiver takes its time to answer.
      await form(owner, `events/${event}/redeliver`, { endpoint }, ['readStream webhook_delivery']);
      const signer = developmentWallet(42);
      const { id: wallet } = await merchant.registerWallet({ address: signer.address });
      const { challenge } = await merchant.done(`POST /v1/wallets/${wallet}/challenge`, {
        body: { method: 'signed_message' },
      });
      await risky(`wallets/${wallet}/verify`, { signature: await signer.signMessage(String(challenge)) });
      await dashboard.invitationOf('asked@shop.example');
      const asked = `settings/users/${userIdOfEmail('asked@shop.example')}`;
      await risky(`${asked}/invite`, { role: 'viewer' });
      await risky(`${asked}/withdraw`);
      const { email } = await dashboard.invited('viewer', 'joined');
      const joined = `settings/users/${userIdOfEmail(email)}`;
      await risky(`${joined}/role`, { role: 'finance' });
      await risky(`${joined}/disable`);
      expect([reads.twice, reads.refused]).toEqual([[], []]);
    },
    LIMIT_MS,
  );

  it(
    'each form that makes something reads everything once',
    async () => {
      const { owner, merchant } = dashboard;
      const walletId = await ownWallet(owner);
      const risky = (path: string, fields: object) => form(owner, path, { ...fields, code: merchant.nextCode() });
      const plain = (path: string, fields: object) => form(owner, path, fields);
      await risky('keys/new', { kind: 'sk', name: 'Shop', ends: '30', 'payment:read': 'on' });
      await risky('webhooks/new', { url: 'http://127.0.0.1:9/other', description: '', 'payment.confirmed': 'on' });
      const { address } = developmentWallet(41);
      await risky('wallets/new', { network_id: 'base', address, label: 'Store', controls_private_key: 'on' });
      await risky('routes', { 'usdc-base': walletId });
      await risky('settings/users/new', { email: 'guest@shop.example', role: 'finance' });
      await risky('settings/session-policy', { idle_minutes: '20', absolute_minutes: '600' });
      await plain('settings/payments', { payment_tolerance_bps: '1', default_success_url: '', 'usdc-base': 'on' });
      await plain('settings/general', { time_zone: 'UTC', api_version: '2026-11-15' });
      await plain('payments/new', { amount: '25', currency: 'EUR', description: '', metadata: '' });
      await plain('links/new', {
        ...{ kind: 'fixed', currency: 'EUR', amount: '25', description: '', metadata: '' },
        ...{ success_url: '', max_uses: '', expires_at: '' },
      });
      await plain('invoices/new', {
        ...{ currency: 'EUR', customer_name: 'Ada', customer_email: 'ada@shop.example', description: '' },
        ...{ notes: '', due_at: '2999-01-31', metadata: '', line_1_description: 'Tea', line_1_quantity: '2' },
        ...{ line_1_price: '12.50', line_1_discount: '', line_1_tax: '' },
      });
      await plain('simulate/payments', { amount: '25', currency: 'EUR', description: '' });
      expect([reads.twice, reads.refused]).toEqual([[], []]);
    },
    LIMIT_MS,
  );

  it(
    'each form of verification reads everything once',
    async () => {
      const person = await dashboard.stranger('verified');
      await beginKyb(dashboard, person);
      await upload(person, { name: 'extract.pdf', bytes: PDF });
      const page = `${HOME}/verification`;
      await reads.form(person, { page, path: `${page}/submit`, fields: CASE });
      expect([reads.twice, reads.refused]).toEqual([[], []]);
    },
    LIMIT_MS,
  );

  it(
    'each step of signing in, and each form of the own account, reads everything once',
    async () => {
      const { owner, merchant } = dashboard;
      await signIn(owner.another(), () => merchant.nextCode());
      const browser = owner.another();
      await signIn(browser, () => merchant.nextCode());
      const own = (path: string, fields: object = {}) =>
        reads.form(browser, { page: SECURITY, path: `${SECURITY}/${path}`, fields });
      const codes = await own('recovery-codes', { code: merchant.nextCode() });
      await own('authenticator', { code: merchant.nextCode() });
      await own('sessions/others');
      await own('password', { present: PASSWORD, wanted: PASSWORD });
      await reads.form(browser, { page: SECURITY, path: '/dashboard/sign-out' });
      await owner.signIn();
      const lost = owner.another();
      await lost.startSignIn();
      const recovery_code = CODE.exec(codes)?.[1];
      await reads.form(lost, { page: '/dashboard/recovery', path: '/dashboard/recovery', fields: { recovery_code } });
      const page = await dashboard.invitationOf('new@shop.example');
      const fields = { token: page.split('=')[1], name: 'Bo', password: PASSWORD };
      await reads.form(owner.another(), { page, path: '/dashboard/invitation', fields });
      expect([reads.twice, reads.refused]).toEqual([[], []]);
    },
    LIMIT_MS,
  );

  /** A form whose page has the same hidden fields as the page of the own account. */
  function form(person: FormBrowser, path: string, fields: object, anew?: readonly string[]): Promise<string> {
    return reads.form(person, { page: SECURITY, path: `${HOME}/${path}`, fields, anew });
  }

  async function signIn(browser: FormBrowser & { readonly email: string }, code: () => string): Promise<void> {
    const entry = '/dashboard/sign-in';
    const fields = { email: browser.email, password: PASSWORD, next: '' };
    await reads.form(browser, { page: entry, path: entry, fields });
    await reads.form(browser, { page: '/dashboard/code', path: '/dashboard/code', fields: { code: code(), next: '' } });
  }

  it(
    'each page reads everything once',
    async () => {
      const paths: (readonly [path: string, as: string])[] = [];
      for (const { at, as = 'owner' } of DASHBOARD_PAGES)
        paths.push([typeof at === 'string' ? at : await at(dashboard), as]);
      const askers: Readonly<Record<string, FormBrowser | null>> = await people(dashboard);
      for (const [path, as] of paths) await reads.page(askers[as] ?? dashboard.owner.another(), path);
      expect(reads.twice).toEqual([]);
    },
    LIMIT_MS,
  );
});

describe('of customers', () => {
  let dashboard: DashboardStage;
  beforeAll(async () => void (dashboard = await DashboardStage.open({ trips })), LIMIT_MS);
  afterAll(() => dashboard.close());

  it(
    'each page reads everything once',
    async () => {
      const customer = new CustomerBrowser(dashboard.instance);
      const wallet = await ownWallet(dashboard.owner);
      const { id: quoted } = await quotedPayment(dashboard, wallet);
      const named = await customer.send(quoted, 'claims', { tx_hash: '5550001234' });
      const { id: invoice } = await stagedInvoice(dashboard);
      const link = await stagedLink(dashboard);
      const payments = [quoted];
      for (const status of STATUSES) payments.push(await stagedPayment(dashboard, status));
      const paths = [
        ...payments.flatMap(id => [`/checkout/${id}`, `/checkout/${id}/receipt`, `/checkout/${id}/method`]),
        ...[String(named.headers.location), `/pay/${link}`, `/pay/${link}/amount`],
        ...[`/invoices/${invoice}`, `/invoices/${invoice}/pdf`, `/invoices/${invoice}/pay`],
      ];
      for (const path of paths) await reads.page(customer, path);
      expect(reads.twice).toEqual([]);
    },
    LIMIT_MS,
  );
});

describe('of the console', () => {
  let stage: ConsoleStage;
  let staged: StagedConsole;
  let owner: AdminBrowser;
  beforeAll(async () => {
    stage = await ConsoleStage.open({ trips });
    staged = await stagedConsole(stage);
    owner = await stage.admin('owner');
  }, LIMIT_MS);
  afterAll(() => stage.close());

  it(
    'each page reads everything once',
    async () => {
      const paths: (readonly [path: string, as: string])[] = [];
      for (const { at, as = 'owner' } of CONSOLE_PAGES)
        paths.push([typeof at === 'string' ? at : await at(staged, stage), as]);
      const askers: Readonly<Record<string, AdminBrowser | null>> = await administrators(stage);
      for (const [path, as] of paths) await reads.page(askers[as] ?? owner.another(), path);
      expect(reads.twice).toEqual([]);
    },
    LIMIT_MS,
  );

  it(
    'each answer of the administrators’ API reads everything once',
    async () => {
      const objects: Readonly<Record<string, string>> = {
        ...{ kyb_cases: staged.kybCase, holds: staged.hold, reviews: staged.review, claims: staged.claim },
        ...{ unmatched_transfers: staged.transfer, merchants: staged.merchant.id, approvals: staged.approval },
        ...{ invoices: staged.feeInvoice, admins: owner.id, kill_switches: 'network:tron', streams: 'test.x-1' },
        ...{ groups: 'audit' },
      };
      const routes = adminRoutesOf(stage.instance.app.get(ModulesContainer));
      const open = routes.filter(({ method, path }) => method === 'get' && !path.includes('{document}'));
      for (const { path } of open) {
        const named = path.replace('{mode}/{network}', 'test/base').replace(/([a-z_]+)\/\{\w+\}/, (_, list: string) => {
          return `${list}/${objects[list] ?? 'none'}`;
        });
        await reads.page(owner, named);
      }
      expect(open.length).toBeGreaterThan(30);
      expect(reads.twice).toEqual([]);
    },
    LIMIT_MS,
  );

  it(
    'each step of signing in, and each action, reads everything once',
    async () => {
      const entry = '/console/sign-in';
      const browser = owner.another();
      const entered = { email: owner.email, password: PASSWORD, next: '' };
      await reads.form(browser, { page: entry, path: entry, fields: entered });
      const code = { code: browser.code(), next: '' };
      await reads.form(browser, { page: '/console/code', path: '/console/code', fields: code });
      const send = (by: AdminBrowser, path: string, fields: object) =>
        reads.form(by, { page: '/console/security', path: `/console/${path}`, fields });
      const reason = 'A drill.';
      const limit = { subject: 'wallet', window_ms: '3600000', max_count: '100', max_amount_usd: '50000000' };
      await send(owner, 'actions/set-kill-switch', { scope: 'asset', subject: 'USDT', mode: 'live', reason });
      await send(owner, 'actions/lift-kill-switch', { target: 'asset:USDT', mode: 'live', reason });
      await send(owner, 'actions/set-velocity-limit', limit);
      await send(owner, 'actions/lift-velocity-limit', { target: 'wallet', reason });
      await send(owner, 'actions/suspend-merchant', { target: staged.merchant.id, reason });
      const [finance, compliance] = [await stage.admin('finance'), await stage.admin('compliance')];
      const paid = { target: staged.feeInvoice, reference: 'bank 12', code: finance.code() };
      await send(finance, 'actions/pay-fee-invoice', paid);
      const seen = { note: 'Seen.', code: compliance.code() };
      await send(compliance, `approvals/${staged.approval}/approve`, seen);
      await send(owner, `approvals/${staged.approval}/carry-out`, { code: owner.code() });
      await send(browser, 'security/password', { present: PASSWORD, wanted: PASSWORD });
      await reads.form(browser, { page: '/console/security', path: '/console/sign-out' });
      expect([reads.twice, reads.refused]).toEqual([[], []]);
    },
    LIMIT_MS,
  );
});
