import { developmentWallet } from '../../support/customer';
import { recordedEvents } from '../../support/recorded-events';
import { DashboardStage, type PersonBrowser } from '../dashboard-stage';
import { asViewer } from './wallet-stage';

const LIMIT_MS = 60_000;
const ROUTES = '/dashboard/test/routes';

let dashboard: DashboardStage;
let owner: PersonBrowser;
let till: string;
let store: string;
let bnb: string;
let pending: string;

beforeAll(async () => {
  dashboard = await DashboardStage.open();
  ({ owner } = dashboard);
  [till, store, bnb] = [await verified(30), await verified(31), await verified(32, { network_id: 'bnb' })];
  pending = String((await dashboard.merchant.registerWallet({ address: developmentWallet(33).address })).id);
}, LIMIT_MS);
afterAll(() => dashboard.close());

async function verified(index: number, changes: object = {}): Promise<string> {
  const signer = developmentWallet(index);
  const terms = { address: signer.address, label: `Wallet ${index}`, ...changes };
  const { id } = await dashboard.merchant.registerWallet(terms);
  await dashboard.merchant.verifyWallet(id, signer);
  return String(id);
}

const set = (fields: object) => owner.sendForm(ROUTES, ROUTES, { code: dashboard.merchant.nextCode(), ...fields });
const textOf = (html: string) => html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
const routesSet = () => recordedEvents(dashboard.stage.core.store, 'routes');
const faultIn = (body: string) => /<p role="alert">(?:<a href="#([\w-]+)">)?([^<]*)/.exec(body)?.slice(1);
const selectIn = (body: string, name: string) => new RegExp(`<select[^>]*name="${name}".*?</select>`).exec(body)?.[0];

it('offers the verified wallets of each network', async () => {
  const { body } = await owner.open(ROUTES);
  expect(selectIn(body, 'usdc-base')).toContain(till);
  expect(selectIn(body, 'usdc-base')).toContain(store);
  expect(body).not.toContain(pending);
  expect(selectIn(body, 'usdt-bnb')).not.toContain(till);
  expect(textOf(body)).toContain('You have no verified wallet on TRON.');
});

it('sets all or none, and tells of the one that is wrong at its field', async () => {
  const refused = await set({ 'usdc-base': till, 'usdt-bnb': pending });
  expect([refused.status, faultIn(refused.body)?.[0]]).toStrictEqual([402, 'test-routes-usdt-bnb']);
  expect(selectIn(refused.body, 'usdc-base')).toMatch(new RegExp(`value="${till}" selected`));
  expect(await routesSet()).toHaveLength(0);
});

it.each([['000000'], ['']])('takes no wrong code: "%s"', async code => {
  const refused = await set({ 'usdc-base': till, code });
  expect([refused.status, faultIn(refused.body)?.[0]]).toStrictEqual([401, 'test-routes-code']);
  expect(await routesSet()).toHaveLength(0);
});

it('sets routes by the person, and shows where payments go', async () => {
  const done = await set({ 'usdc-base': till, 'usdt-bnb': bnb });
  expect([done.status, done.headers.location]).toStrictEqual([303, ROUTES]);
  const events = await routesSet();
  expect(events.map(({ data }) => data)).toMatchObject([{ wallet_id: bnb }, { wallet_id: till }]);
  expect(events[0]?.metadata.actor).toMatchObject({ role: 'merchant', type: 'user' });
  const { body } = await owner.open(ROUTES);
  expect(body).toContain(`<a href="/dashboard/test/wallets/${till}">Wallet 30</a>`);
  expect(textOf((await owner.open(`/dashboard/test/wallets/${till}`)).body)).toContain('Payments in USDC on Base go');
});

it('cools a changed route down until its end, and leaves the others free', async () => {
  expect((await set({ 'usdc-base': store, 'usdt-bnb': bnb })).status).toBe(303);
  const { body } = await owner.open(ROUTES);
  expect(textOf(body)).toMatch(/Cooling down until \d+ \w+ \d{4}, \d\d:\d\d/);
  expect(selectIn(body, 'usdc-base')).not.toContain(till);
  const refused = await set({ 'usdc-base': till, 'usdt-bnb': bnb });
  expect([refused.status, faultIn(refused.body)]).toStrictEqual([
    409,
    ['test-routes-usdc-base', 'This route was changed lately; wait until its cool-down is over.'],
  ]);
  expect(await routesSet()).toHaveLength(3);
});

it('shows routes without a form to people who may not set them', async () => {
  const viewer = await dashboard.stranger('viewer');
  await asViewer(dashboard, viewer);
  const { status, body } = await viewer.open(ROUTES);
  expect([status, body.includes(`action="${ROUTES}"`)]).toStrictEqual([200, false]);
  const fields = { 'usdc-base': till, code: viewer.merchant.nextCode() };
  expect((await viewer.sendForm('/dashboard/test/security', ROUTES, fields)).status).toBe(403);
});
