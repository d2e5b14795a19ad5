import { ApiStage, type ApiInstance } from '../support/api-stage';
import type { StagedMerchant } from '../support/staged-merchant';

const LIMIT_MS = 60_000;

type Act = (writer: StagedMerchant) => Promise<{ readonly id: string }>;
/** What is posted at one instance, and what the other one must then show of it. */
type Case = readonly [name: string, path: string, act: Act, expected: object];

async function selectMethod(writer: StagedMerchant) {
  const { data } = await writer.done('GET /v1/wallets');
  const { id } = await writer.createIntent();
  const body = { token_id: 'usdc-base', wallet_id: data[0].id };
  return writer.done(`POST /v1/payment_intents/${id}/select_method`, { body });
}

async function cancel(writer: StagedMerchant) {
  const { id } = await writer.createIntent();
  return writer.done(`POST /v1/payment_intents/${id}/cancel`);
}

async function changeEndpoint(writer: StagedMerchant) {
  const { id } = await writer.createEndpoint();
  const body = { description: 'Second till', status: 'disabled' };
  return writer.done(`POST /v1/webhook_endpoints/${id}`, { body }, true);
}

async function rollSecret(writer: StagedMerchant) {
  const { id } = await writer.createEndpoint();
  return writer.done(`POST /v1/webhook_endpoints/${id}/roll_secret`, {}, true);
}

async function rotateKey(writer: StagedMerchant) {
  const { id } = await writer.mintKey();
  await writer.done(`POST /v1/api_keys/${id}/rotate`, {}, true);
  return { id: String(id) };
}

async function successorKey(writer: StagedMerchant) {
  const { id } = await writer.mintKey();
  return writer.done(`POST /v1/api_keys/${id}/rotate`, {}, true);
}

async function revokeKey(writer: StagedMerchant) {
  const { id } = await writer.mintKey();
  return writer.done(`POST /v1/api_keys/${id}/revoke`, {}, true);
}

async function verifyWallet(writer: StagedMerchant) {
  const { id } = await writer.registerWallet({ network_id: 'bnb' });
  return writer.verifyWallet(id);
}

async function redeliver(writer: StagedMerchant) {
  const { data } = await writer.done('GET /v1/webhook_events');
  const body = { endpoint: data[0].deliveries[0].endpoint };
  return writer.done(`POST /v1/webhook_events/${data[0].id}/redeliver`, { body });
}

/** The endpoint of later had no part in the event. */
async function redeliverToAnother(writer: StagedMerchant) {
  const { data } = await writer.done('GET /v1/webhook_events');
  const [endpoint] = (await writer.done('GET /v1/webhook_endpoints')).data;
  return writer.done(`POST /v1/webhook_events/${data[0].id}/redeliver`, { body: { endpoint: endpoint.id } });
}

const CASES: readonly Case[] = [
  ['a new payment', '/v1/payment_intents', writer => writer.createIntent(), { status: 'created' }],
  ['a selected method', '/v1/payment_intents', selectMethod, { status: 'awaiting_payment' }],
  ['a cancellation', '/v1/payment_intents', cancel, { status: 'canceled' }],
  ['a new wallet', '/v1/wallets', writer => writer.registerWallet({ address: OTHER_ADDRESS }), { status: 'pending' }],
  ['a verified wallet', '/v1/wallets', verifyWallet, { status: 'verified' }],
  ['a new endpoint', '/v1/webhook_endpoints', writer => writer.createEndpoint(), { status: 'enabled' }],
  ['a changed endpoint', '/v1/webhook_endpoints', changeEndpoint, { status: 'disabled', description: 'Second till' }],
  ['a rolled secret', '/v1/webhook_endpoints', rollSecret, { secrets: [{ expires_at: null }, {}] }],
  ['a new key', '/v1/api_keys', writer => writer.mintKey(), { status: 'active' }],
  ['a rotated key', '/v1/api_keys', rotateKey, { status: 'rotating' }],
  ['the key that takes its place', '/v1/api_keys', successorKey, { status: 'active' }],
  ['a revoked key', '/v1/api_keys', revokeKey, { status: 'revoked' }],
  ['a redelivery', '/v1/webhook_events', redeliver, { deliveries: [{ attempts: 1 }] }],
  ['a redelivery to an endpoint of later', '/v1/webhook_events', redeliverToAnother, { deliveries: [{}, {}] }],
];

const OTHER_ADDRESS = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

describe.each([
  ['whose documents follow at once', true],
  ['of whose writes the log alone knows', false],
])('two instances over one engine, without projections, and a writer %s', (_, mirrors) => {
  let stage: ApiStage;
  let other: ApiInstance;
  let writer: StagedMerchant;
  let reader: StagedMerchant;

  beforeAll(async () => {
    stage = await ApiStage.open();
    other = await stage.startInstance();
    reader = await stage.register(other);
    const wallet = await reader.registerWallet();
    await reader.verifyWallet(wallet.id);
    await reader.routeTo(wallet.id);
    await reader.createEndpoint();
    await reader.createIntent();
    await stage.scheduleWebhooks(other);
    await stage.project();
    await reader.createEndpoint();
    writer = reader.at((await stage.startInstance({ mirrors })).caller);
  }, LIMIT_MS);

  afterAll(() => stage.close());

  it.each(CASES)(
    '%s is read at the other one as soon as it is answered',
    async (_name, path, act, expected) => {
      const written = await act(writer);
      const read = await reader.done(`GET ${path}/${written.id}`);
      expect(read).toMatchObject(expected);
      expect(read).toEqual(await writer.done(`GET ${path}/${written.id}`));
      expect(read.id).toBe(written.id);
    },
    LIMIT_MS,
  );

  it('shows a payment’s history up to its last answer', async () => {
    const { id } = await cancel(writer);
    const { data } = await reader.done(`GET /v1/payment_intents/${id}/events`);
    expect(data.map(({ type }: { type: string }) => type)).toEqual(['PaymentIntentCreated', 'PaymentCanceled']);
  });

  it('shows settings as they were just changed', async () => {
    const changed = await writer.done('POST /v1/settings', { body: { payment_tolerance_bps: 25 } });
    expect(changed).toMatchObject({ payment_tolerance_bps: 25 });
    expect(await reader.done('GET /v1/settings')).toEqual(changed);
  });

  it('takes no key that was revoked at the other one', async () => {
    const { id, secret } = await reader.mintKey();
    expect(await reader.call('GET /v1/payment_intents', { key: secret })).toMatchObject({ status: 200 });
    await writer.done(`POST /v1/api_keys/${id}/revoke`, {}, true);
    expect(await reader.call('GET /v1/payment_intents', { key: secret })).toMatchObject({ code: 'api_key_revoked' });
  });

  it('has a case for every resource that is read by its id', async () => {
    const document = await reader.done('GET /openapi.json');
    const read = Object.keys(document.paths).filter(path => /^\/v1\/[a-z_]+\/\{id\}$/.test(path));
    const readable = read.filter(path => document.paths[path].get);
    const covered = new Set(CASES.map(([, path]) => `${path}/{id}`));
    expect(readable.sort()).toEqual([...covered].sort());
  });
});
