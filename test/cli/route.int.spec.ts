import 'reflect-metadata';
import { developmentWallet } from '../support/customer';
import { ServiceInProcess } from '../support/service-in-process';
import { Merchant } from '../support/merchant';

const LIMIT_MS = 60_000;
const DAY_MS = 24 * 3_600_000;

type Set = { readonly exitCode: number; readonly route_id: string; readonly cooling_down_until: string | null };

let service: ServiceInProcess;
let merchant: Merchant;
beforeAll(async () => {
  service = await ServiceInProcess.start();
  merchant = Merchant.of(await service.register('Corner Shop'), service.url);
  await merchant.verifyWallet('base');
}, LIMIT_MS);
afterAll(() => service?.stop(), LIMIT_MS);

const refused = (...args: readonly string[]) =>
  service.run('route', 'set', ...args).then(
    () => 'done',
    (error: Error) => error.message,
  );

it('leads an asset to a verified wallet without a one-time code, and the API shows the route', async () => {
  const set = await service.run<Set>('route', 'set', 'USDC', 'base', merchant.walletId);
  const facts = { merchant_id: merchant.id, mode: 'test', asset_symbol: 'USDC', network_id: 'base' };
  expect(set).toMatchObject({ exitCode: 0, ...facts, wallet_id: merchant.walletId, cooling_down_until: null });
  const { data } = await merchant.api.routes.list().firstPage();
  expect(data.map(({ id, wallet_id }) => [id, wallet_id])).toEqual([[set.route_id, merchant.walletId]]);
  const [event] = await service.beside(({ store }) => store.readStream(`test.routes-${merchant.id}`));
  expect(event?.metadata).toMatchObject({ actor: { role: 'admin', type: 'system', id: 'cli:alice' } });
});

it('changes nothing where the route leads there already', async () => {
  await service.run('route', 'set', 'USDC', 'base', merchant.walletId);
  const events = await service.beside(({ store }) => store.readStream(`test.routes-${merchant.id}`));
  expect(events).toHaveLength(1);
});

it('refuses with the code of the API, and names the argument at fault', async () => {
  const told = async (...args: readonly string[]): Promise<unknown> =>
    /"error":(.*)}/.exec(await refused(...args))?.[1];
  const wallet = merchant.walletId;
  expect(await told('USDC', 'base', 'wal_none')).toMatch(/route_wallet_missing.*"param":"wallet"/);
  expect(await told('USDC', 'solana', wallet)).toMatch(/unsupported_network.*"param":"network"/);
  expect(await told('DAI', 'base', wallet)).toMatch(/unknown_token.*"param":"asset"/);
  expect(await told('USDT', 'bnb', wallet)).toMatch(/network_mismatch.*"param":"wallet"/);
});

it('is dated by the clock of the merchant, as cool-downs are', async () => {
  const ahead = Merchant.of(await service.register('Other Shop'), service.url);
  const { id } = await ahead.verifyWallet('base', developmentWallet(1));
  await ahead.api.sandboxClock.update({ advance_ms: DAY_MS });
  const startMs = Date.now();
  await service.run('route', 'set', 'USDC', 'base', id);
  const [event] = await service.beside(({ store }) => store.readStream(`test.routes-${ahead.id}`));
  expect(Date.parse(event?.metadata.occurred_at ?? '')).toBeGreaterThanOrEqual(startMs + DAY_MS);
});
