import { SandboxShop } from '../support/sandbox-shop';
import { ServiceInProcess } from '../support/service-in-process';

const LIMIT_MS = 60_000;
const OWNER_INDEX = 5;
const AWAY = 'http://127.0.0.1:9';
const SETTINGS = { SANDBOX_CHAINS: 'on', TRON_TEST_RPC_URLS: AWAY, BASE_TEST_RPC_URLS: AWAY };

let service: ServiceInProcess;
let shop: SandboxShop;

beforeAll(async () => {
  service = await ServiceInProcess.start(SETTINGS);
  shop = await SandboxShop.openOnEvm(service, 'Corner Shop', OWNER_INDEX, 'bnb');
}, LIMIT_MS);

afterAll(() => service?.stop(), LIMIT_MS);

it.each([
  ['exact', { status: 'confirmed', received_amount: '2500' }],
  ['short', { status: 'underpaid' }],
  ['over', { status: 'overpaid' }],
  ['late', { status: 'paid_late' }],
  ['reorged', { status: 'failed', failure_reason: 'reorged_out' }],
  ['reverted', { status: 'failed', failure_reason: 'reverted' }],
  ['wrong_token', { status: 'awaiting_payment', transfers: [] }],
])(
  'a customer of the sandbox pays on BNB, in a token of 18 decimals: %s',
  async (outcome, expected) => {
    const id = await shop.quote();
    expect(await shop.play(id, outcome)).toMatchObject({ outcome, network_id: 'bnb' });
    expect(await shop.payment(id)).toMatchObject(expected);
  },
  LIMIT_MS,
);
