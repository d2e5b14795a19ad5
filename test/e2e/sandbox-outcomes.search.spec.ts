import { searchSize } from '../levels/search-size';
import { SandboxShop } from '../support/sandbox-shop';
import { ServiceInProcess } from '../support/service-in-process';
import { TronCustomer } from '../support/tron-customer';

const LIMIT_MS = 60_000;
const OWNER_INDEX = 5;
/** The other network's provider is away, which a service must bear; the two here get local chains. */
const SETTINGS = { SANDBOX_CHAINS: 'on', BASE_TEST_RPC_URLS: 'http://127.0.0.1:9' };

const OUTCOMES = [
  ['exact', { status: 'confirmed', received_amount: '2500' }],
  ['reorged', { status: 'failed', failure_reason: 'reorged_out' }],
  ['short', { status: 'underpaid' }],
  ['over', { status: 'overpaid' }],
  ['late', { status: 'paid_late' }],
  ['reverted', { status: 'failed', failure_reason: 'reverted' }],
  ['wrong_token', { status: 'awaiting_payment', transfers: [] }],
] as const;
const TRIED = OUTCOMES.slice(0, searchSize('SANDBOX_OUTCOMES', { small: 2, full: OUTCOMES.length }));

let service: ServiceInProcess;
let owner: TronCustomer;
let tron: SandboxShop;
let bnb: SandboxShop;

beforeAll(async () => {
  service = await ServiceInProcess.start(SETTINGS);
  owner = await TronCustomer.onSandbox(service.dataFolder, OWNER_INDEX);
  tron = await SandboxShop.open(service, 'TRON Shop', {
    network: 'tron',
    tokenId: 'usdt-tron',
    address: owner.address,
    sign: message => Promise.resolve(owner.tronWeb.trx.signMessageV2(message)),
  });
  bnb = await SandboxShop.openOnEvm(service, 'BNB Shop', OWNER_INDEX, 'bnb');
}, LIMIT_MS);

afterAll(async () => {
  await owner?.close();
  await service?.stop();
}, LIMIT_MS);

it.each(TRIED)(
  'a customer of the sandbox pays on TRON: %s',
  async (outcome, expected) => {
    const id = await tron.quote();
    expect(await tron.play(id, outcome)).toMatchObject({ outcome, network_id: 'tron' });
    expect(await tron.payment(id)).toMatchObject(expected);
  },
  LIMIT_MS,
);

it.each(TRIED)(
  'a customer of the sandbox pays on BNB, in a token of 18 decimals: %s',
  async (outcome, expected) => {
    const id = await bnb.quote();
    expect(await bnb.play(id, outcome)).toMatchObject({ outcome, network_id: 'bnb' });
    expect(await bnb.payment(id)).toMatchObject(expected);
  },
  LIMIT_MS,
);

it(
  'an unpaid quote on TRON has expired when the clock is past it',
  async () => {
    const id = await tron.quote();
    await tron.done('POST /v1/sandbox/clock', { advance_ms: 900_000 });
    expect(await tron.status(id)).toBe('expired');
  },
  LIMIT_MS,
);
