import { TOKENS } from '../../src/vocabulary/tokens';
import { NETWORKS } from '../../src/vocabulary/networks';
import { OneTimeCodes } from '../support/one-time-codes';
import { ServiceInProcess, type HttpAnswer } from '../support/service-in-process';
import { eventually } from '../support/service-process';
import { TronCustomer } from '../support/tron-customer';

const LIMIT_MS = 60_000;
/** The other networks' providers are away, which a service must bear; TRON gets a local chain. */
const AWAY = 'http://127.0.0.1:9';
const SETTINGS = { SANDBOX_CHAINS: 'on', BNB_TEST_RPC_URLS: AWAY, BASE_TEST_RPC_URLS: AWAY };
const TOKEN = TOKENS['usdt-tron'];
const { confirmations } = NETWORKS.tron.finality.test.standard;
const OWNER_INDEX = 5;

let service: ServiceInProcess;
let owner: TronCustomer;
let payer: TronCustomer;
let codes: OneTimeCodes;
let key: string;

beforeAll(async () => {
  service = await ServiceInProcess.start(SETTINGS);
  const registered = await service.register('Corner Shop');
  codes = new OneTimeCodes(registered.totp_secret);
  key = registered.keys.test;
  owner = await TronCustomer.onSandbox(service.dataFolder, OWNER_INDEX);
  payer = await TronCustomer.onSandbox(service.dataFolder);
}, LIMIT_MS);

afterAll(async () => {
  await owner?.close();
  await payer?.close();
  await service?.stop();
}, LIMIT_MS);

async function done(line: string, body: object, headers: Record<string, string> = {}): Promise<HttpAnswer['body']> {
  const answer = await service.ask(line, { key, body, headers: { 'idempotency-key': line, ...headers } });
  if (answer.status >= 300) throw new Error(`${line}: ${answer.text}`);
  return answer.body;
}

test(
  'a TRON wallet is proved by a micro-deposit and then paid, both by TRON’s own library',
  async () => {
    const withCode = async () => ({ 'mfa-code': await codes.next() });
    const terms = { network_id: 'tron', address: owner.address, label: 'Till', controls_private_key: true };
    const wallet = await done('POST /v1/wallets', terms, await withCode());
    const asked = await done(`POST /v1/wallets/${wallet.id}/challenge`, { method: 'micro_deposit' });
    await owner.pay(TOKEN.contract.test, asked.address, baseUnitsOf(asked.token_amount));
    await owner.mine(1);
    await done(`POST /v1/wallets/${wallet.id}/verify`, { method: 'micro_deposit' }, await withCode());
    await owner.mine(confirmations + 1);
    await eventually('the wallet is verified', LIMIT_MS, async () => {
      const { body } = await service.ask(`GET /v1/wallets/${wallet.id}`, { key });
      return body.status === 'verified' ? body : null;
    });

    const routes = [{ asset_symbol: 'USDT', network_id: 'tron', wallet_id: wallet.id }];
    await done('PUT /v1/routes', { routes }, await withCode());
    const intent = await done('POST /v1/payment_intents', { amount: '2500', currency: 'EUR' });
    const choice = { token_id: 'usdt-tron', wallet_id: wallet.id };
    const quoted = await done(`POST /v1/payment_intents/${intent.id}/select_method`, choice);
    expect(quoted.payment_method).toMatchObject({ token_id: 'usdt-tron', address: owner.address });
    const txHash = await payer.pay(TOKEN.contract.test, owner.address, quoted.payment_method.token_amount_base_units);
    await payer.mine(confirmations + 1);
    const confirmed = await eventually('the payment is confirmed', LIMIT_MS, async () => {
      const { body } = await service.ask(`GET /v1/payment_intents/${intent.id}`, { key });
      return body.status === 'confirmed' ? body : null;
    });
    expect(confirmed.transfers).toMatchObject([
      { tx_hash: txHash, from: payer.address, log_index: 0, status: 'credited' },
    ]);
  },
  3 * LIMIT_MS,
);

function baseUnitsOf(amount: string): string {
  const [whole = '', fraction = ''] = amount.split('.');
  return BigInt(whole + fraction.padEnd(TOKEN.decimals, '0')).toString();
}
