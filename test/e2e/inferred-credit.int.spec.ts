import { formatUnits } from '../../src/vocabulary/money';
import { SandboxShop } from '../support/sandbox-shop';
import { ServiceInProcess } from '../support/service-in-process';
import { eventually } from '../support/service-process';
import { WebhookReceiver } from '../support/webhook-receiver';

/** A shop's fourth one-time code comes half a minute after its first ones. */
const LIMIT_MS = 120_000;
const AWAY = 'http://127.0.0.1:9';
const SETTINGS = { SANDBOX_CHAINS: 'on', BNB_TEST_RPC_URLS: AWAY, TRON_TEST_RPC_URLS: AWAY };

let service: ServiceInProcess;
let shared: SandboxShop;
let dedicated: SandboxShop;
let receiver: WebhookReceiver;

beforeAll(async () => {
  service = await ServiceInProcess.start(SETTINGS);
  receiver = await WebhookReceiver.start();
  [shared, dedicated] = await Promise.all([
    SandboxShop.openOnEvm(service, 'Shared', 26),
    SandboxShop.openOnEvm(service, 'Dedicated', 27),
  ]);
  const terms = { url: receiver.url, enabled_events: ['*'] };
  const [endpoint] = await Promise.all([
    shared.done('POST /v1/webhook_endpoints', terms, true),
    declareDedicated(dedicated),
  ]);
  receiver.secret = endpoint.secret;
  for (const shop of [shared, dedicated]) await shop.done('POST /v1/settings', { payment_tolerance_bps: 100 });
}, LIMIT_MS);

afterAll(async () => {
  await receiver?.close();
  await service?.stop();
}, LIMIT_MS);

async function declareDedicated(shop: SandboxShop): Promise<void> {
  const { data } = await shop.done('GET /v1/wallets');
  expect(data[0]).toMatchObject({ dedicated: false });
  const line = `POST /v1/wallets/${data[0].id}`;
  expect((await shop.ask(line, { dedicated: true })).body).toMatchObject({ error: { code: 'mfa_required' } });
  expect(await shop.done(line, { dedicated: true }, true)).toMatchObject({ label: 'Till', dedicated: true });
}

/** Half of a percent less than the amount due, in whole tokens. */
async function shortOf(shop: SandboxShop, id: string): Promise<string> {
  const { payment_method: method } = await shop.payment(id);
  return formatUnits((BigInt(method.token_amount_base_units) * 995n) / 1_000n, 6, 6);
}

async function playShort(shop: SandboxShop, id: string): Promise<{ tx_hash: string; token_amount: string }> {
  const token_amount = await shortOf(shop, id);
  const { tx_hash } = await shop.play(id, 'short', { claim: false, token_amount });
  return { tx_hash, token_amount };
}

const unmatched = async (shop: SandboxShop) => (await shop.done('GET /v1/unmatched_transfers?network_id=base')).data;

it(
  'half of a percent short with one open payment: underpaid and in review, and back in the queue once rejected',
  async () => {
    const id = await shared.quote();
    const paid = await playShort(shared, id);
    expect(await shared.payment(id)).toMatchObject({
      status: 'underpaid',
      remaining: null,
      review: { reason: 'underpaid', resolution: null },
      transfers: [{ ...paid, attribution: 'inferred', status: 'credited' }],
    });
    await receiver.waitFor('payment.underpaid', id, LIMIT_MS);
    const rejection = { resolution: 'rejected', note: 'a top-up of ours' };
    expect(await shared.done(`POST /v1/payment_intents/${id}/resolve`, rejection)).toMatchObject({
      status: 'underpaid',
      received_amount: '0',
      remaining: null,
      transfers: [],
    });
    const [row] = await eventually('the transfer is unmatched again', LIMIT_MS, async () => {
      const rows = await unmatched(shared);
      return rows.length > 0 ? rows : null;
    });
    expect(row).toMatchObject(paid);
    const told = receiver.events.filter(({ type }) => type === 'payment.underpaid');
    expect(told).toHaveLength(1);
    expect(told[0]?.data).toMatchObject({ id, remaining: null, transfers: [{ attribution: 'inferred' }] });
  },
  LIMIT_MS,
);

it(
  'nothing is inferred while another payment may be meant, open or not paid',
  async () => {
    const [first] = [await shared.quote(), await shared.quote()];
    const paid = await playShort(shared, first);
    expect(await shared.payment(first)).toMatchObject({ status: 'awaiting_payment', transfers: [] });
    expect((await unmatched(shared))[0]).toMatchObject(paid);
  },
  LIMIT_MS,
);

it(
  'at a dedicated wallet the payment is confirmed by itself',
  async () => {
    const id = await dedicated.quote();
    const paid = await playShort(dedicated, id);
    expect(await dedicated.payment(id)).toMatchObject({
      status: 'confirmed',
      transfers: [{ ...paid, attribution: 'inferred' }],
    });
  },
  LIMIT_MS,
);
