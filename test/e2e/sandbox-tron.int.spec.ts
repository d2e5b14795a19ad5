import { SandboxShop } from '../support/sandbox-shop';
import { ServiceInProcess } from '../support/service-in-process';
import { TronCustomer } from '../support/tron-customer';

const LIMIT_MS = 60_000;
const OWNER_INDEX = 5;
const AWAY = 'http://127.0.0.1:9';
const SETTINGS = { SANDBOX_CHAINS: 'on', BNB_TEST_RPC_URLS: AWAY, BASE_TEST_RPC_URLS: AWAY };

let service: ServiceInProcess;
let owner: TronCustomer;
let shop: SandboxShop;

beforeAll(async () => {
  service = await ServiceInProcess.start(SETTINGS);
  owner = await TronCustomer.onSandbox(service.dataFolder, OWNER_INDEX);
  shop = await SandboxShop.open(service, 'Corner Shop', {
    network: 'tron',
    tokenId: 'usdt-tron',
    address: owner.address,
    sign: message => Promise.resolve(owner.tronWeb.trx.signMessageV2(message)),
  });
}, LIMIT_MS);

afterAll(async () => {
  await owner?.close();
  await service?.stop();
}, LIMIT_MS);

it.each([
  ['exact', { status: 'confirmed' }],
  ['short', { status: 'underpaid' }],
  ['over', { status: 'overpaid' }],
  ['late', { status: 'paid_late' }],
  ['reorged', { status: 'failed', failure_reason: 'reorged_out' }],
  ['reverted', { status: 'failed', failure_reason: 'reverted' }],
  ['wrong_token', { status: 'awaiting_payment', transfers: [] }],
])(
  'a customer of the sandbox pays on TRON: %s',
  async (outcome, expected) => {
    const id = await shop.quote();
    expect(await shop.play(id, outcome)).toMatchObject({ outcome, network_id: 'tron' });
    expect(await shop.payment(id)).toMatchObject(expected);
  },
  LIMIT_MS,
);

it(
  'an unpaid quote has expired when the clock is past it',
  async () => {
    const id = await shop.quote();
    await shop.done('POST /v1/sandbox/clock', { advance_ms: 900_000 });
    expect(await shop.status(id)).toBe('expired');
  },
  LIMIT_MS,
);
