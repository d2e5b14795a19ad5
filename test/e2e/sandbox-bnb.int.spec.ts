import { SandboxShop } from '../support/sandbox-shop';
import { developmentWallet } from '../support/customer';
import { ServiceInProcess } from '../support/service-in-process';

const LIMIT_MS = 60_000;
const OWNER_INDEX = 5;
const AWAY = 'http://127.0.0.1:9';
const SETTINGS = { SANDBOX_CHAINS: 'on', TRON_TEST_RPC_URLS: AWAY, BASE_TEST_RPC_URLS: AWAY };

let service: ServiceInProcess;
let shop: SandboxShop;

beforeAll(async () => {
  service = await ServiceInProcess.start(SETTINGS);
  const owner = developmentWallet(OWNER_INDEX);
  shop = await SandboxShop.open(service, 'Corner Shop', {
    network: 'bnb',
    tokenId: 'usdt-bnb',
    address: owner.address,
    sign: message => owner.signMessage(message),
  });
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
