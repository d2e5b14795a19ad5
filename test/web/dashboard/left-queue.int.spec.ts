import { namings, namingsIdOf } from '../../../src/modules/transfers/naming.decider';
import { ERROR_CATALOGUE } from '../../../src/vocabulary/error-catalogue';
import { DashboardStage, type PersonBrowser } from '../dashboard-stage';
import { ownWallet } from './own-wallet';
import { stagedTransfer } from './staged-payments';

const LIMIT_MS = 120_000;
const HOME = '/dashboard/test';
const NOT_FOUND = 404;

let dashboard: DashboardStage;
let owner: PersonBrowser;
let bnbWallet: string;
let value = 30_000_000n;

beforeAll(async () => {
  dashboard = await DashboardStage.open();
  ({ owner } = dashboard);
  await ownWallet(owner);
  bnbWallet = await walletOnBnb();
}, LIMIT_MS);
afterAll(() => dashboard.close());

async function walletOnBnb(): Promise<string> {
  const { merchant } = dashboard;
  const { id: wallet } = await merchant.registerWallet({ network_id: 'bnb' });
  await merchant.verifyWallet(String(wallet));
  const route = { asset_symbol: 'USDT', network_id: 'bnb', wallet_id: wallet };
  const headers = { 'mfa-code': merchant.nextCode() };
  await merchant.done('PUT /v1/routes', { body: { routes: [route] }, headers });
  return String(wallet);
}

async function paymentOnBnb(): Promise<string> {
  const { merchant, stage } = dashboard;
  const { id } = await merchant.createIntent();
  const body = { token_id: 'usdt-bnb', wallet_id: bnbWallet };
  await merchant.done(`POST /v1/payment_intents/${id}/select_method`, { body });
  await stage.project();
  return String(id);
}

async function withoutMethod(): Promise<string> {
  return String((await dashboard.merchant.createIntent()).id);
}

async function canceled(): Promise<string> {
  const id = await withoutMethod();
  await dashboard.merchant.done(`POST /v1/payment_intents/${id}/cancel`);
  return id;
}

/** Each transfer has another value. */
function queuedTransfer() {
  return stagedTransfer(dashboard, (value += 1_111_111n));
}

async function transferSetAside() {
  const transfer = await queuedTransfer();
  const aside = { outcome: 'kept', note: 'A tip' };
  await owner.sendForm(`${HOME}/payments/new`, `${HOME}/transfers/${transfer.id}/set-aside`, aside);
  return transfer;
}

/** The answer of the form, and the calls of the chain that it took. */
async function give({ id }: { readonly id: string }, payment: string) {
  const { chain } = dashboard.instance;
  const { calls } = chain;
  const form = { payment_intent: payment };
  const { status, body } = await owner.sendForm(`${HOME}/payments/new`, `${HOME}/transfers/${id}/attribute`, form);
  return { status, body, calls: chain.calls - calls };
}

describe('a transfer that has left the queue is refused before its payment is looked at', () => {
  it.each<[string, () => string | Promise<string>]>([
    ['a payment on another network', paymentOnBnb],
    ['a payment without a method', withoutMethod],
    ['a canceled payment', canceled],
    ['a payment that does not exist', () => 'pi_00000000000000000000000000'],
  ])('for %s', async (_name, payment) => {
    const [transfer, id] = [await transferSetAside(), await payment()];
    const reads = jest.spyOn(dashboard.instance.parts.core.store, 'readStream');
    const { status, calls } = await give(transfer, id);
    const streams = reads.mock.calls.map(([stream]) => stream);
    reads.mockRestore();
    expect([status, calls]).toEqual([NOT_FOUND, 0]);
    expect(streams).not.toContain(`test.payment_intent-${id}`);
  });

  it('and nothing is filed while the provider of another network is away', async () => {
    const { instance, stage } = dashboard;
    const payment = await paymentOnBnb();
    const transfer = await transferSetAside();
    instance.chain.down = true;
    const { status } = await give(transfer, payment);
    instance.chain.down = false;
    expect(status).toBe(NOT_FOUND);
    const filed = namingsIdOf('bnb', { kind: 'transaction', txHash: transfer.txHash }, 0);
    expect((await stage.core.writes.load(namings, 'test', filed)).history).toEqual([]);
  });
});

it('a transfer of the queue is refused for a text that is no id of a payment', async () => {
  const { status, body } = await give(await queuedTransfer(), 'order 1042');
  expect(status).toBe(NOT_FOUND);
  expect(body).toContain(ERROR_CATALOGUE.payment_not_found.title);
});
