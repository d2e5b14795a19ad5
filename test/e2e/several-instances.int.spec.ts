import type { RecordedEvent } from '../../src/kernel/event';
import { deliveryId } from '../../src/modules/webhooks/webhook-delivery.decider';
import { webhookEventId } from '../../src/modules/webhooks/webhook-event';
import { RateLimits } from '../../src/platform/rate-limits/rate-limits';
import { ApiStage, type ApiInstance } from '../support/api-stage';
import { developmentWallet } from '../support/customer';
import { ManualClock, NOON } from '../support/payment-fixture';
import { eventually } from '../support/service-process';
import type { StagedMerchant } from '../support/staged-merchant';

const LIMIT_MS = 60_000;

/** The objects that `maker` makes beforehand stand in the documents. */
type Act = (writer: StagedMerchant, maker: StagedMerchant) => Promise<{ readonly id: string }>;
/** The object that is posted at one instance, and the answer that the other one must then give. */
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

async function describeEndpoint(writer: StagedMerchant, maker: StagedMerchant) {
  const { id } = await maker.createEndpoint();
  return writer.done(`POST /v1/webhook_endpoints/${id}`, { body: { description: 'Second till' } }, true);
}

async function disableEndpoint(writer: StagedMerchant, maker: StagedMerchant) {
  const { id } = await maker.createEndpoint();
  return writer.done(`POST /v1/webhook_endpoints/${id}`, { body: { status: 'disabled' } }, true);
}

async function rollSecret(writer: StagedMerchant, maker: StagedMerchant) {
  const { id } = await maker.createEndpoint();
  return writer.done(`POST /v1/webhook_endpoints/${id}/roll_secret`, {}, true);
}

async function rotateKey(writer: StagedMerchant, maker: StagedMerchant) {
  const { id } = await maker.mintKey();
  await writer.done(`POST /v1/api_keys/${id}/rotate`, {}, true);
  return { id: String(id) };
}

async function successorKey(writer: StagedMerchant, maker: StagedMerchant) {
  const { id } = await maker.mintKey();
  return writer.done(`POST /v1/api_keys/${id}/rotate`, {}, true);
}

async function revokeKey(writer: StagedMerchant, maker: StagedMerchant) {
  const { id } = await maker.mintKey();
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

/** The later endpoint had no part in the event. */
async function redeliverToAnother(writer: StagedMerchant) {
  const { data } = await writer.done('GET /v1/webhook_events');
  const [endpoint] = (await writer.done('GET /v1/webhook_endpoints')).data;
  return writer.done(`POST /v1/webhook_events/${data[0].id}/redeliver`, { body: { endpoint: endpoint.id } });
}

const makeLink = (writer: StagedMerchant) =>
  writer.done('POST /v1/payment_links', { body: { kind: 'fixed', currency: 'EUR', amount: '2500' } });

async function deactivateLink(writer: StagedMerchant) {
  const { id } = await makeLink(writer);
  return writer.done(`POST /v1/payment_links/${id}/deactivate`);
}

const draftInvoice = (writer: StagedMerchant) =>
  writer.done('POST /v1/invoices', { body: { currency: 'EUR', amount: '990' } });

async function issueInvoice(writer: StagedMerchant) {
  const { id } = await draftInvoice(writer);
  return writer.done(`POST /v1/invoices/${id}/issue`);
}

async function voidInvoice(writer: StagedMerchant) {
  const { id } = await draftInvoice(writer);
  return writer.done(`POST /v1/invoices/${id}/void`);
}

/** The read is by an id, so that the log alone tells of it. */
const BY_ID: readonly Case[] = [
  ['a new payment', '/v1/payment_intents', writer => writer.createIntent(), { status: 'created' }],
  ['a selected method', '/v1/payment_intents', selectMethod, { status: 'awaiting_payment' }],
  ['a cancellation', '/v1/payment_intents', cancel, { status: 'canceled' }],
  ['a new wallet', '/v1/wallets', writer => writer.registerWallet({ address: OTHER_ADDRESS }), { status: 'pending' }],
  ['a verified wallet', '/v1/wallets', verifyWallet, { status: 'verified' }],
  ['a described endpoint', '/v1/webhook_endpoints', describeEndpoint, { description: 'Second till' }],
  ['a rolled secret', '/v1/webhook_endpoints', rollSecret, { secrets: [{ expires_at: null }, {}] }],
  ['a revoked key', '/v1/api_keys', revokeKey, { status: 'revoked' }],
  ['a new link', '/v1/payment_links', makeLink, { active: true }],
  ['a deactivated link', '/v1/payment_links', deactivateLink, { active: false }],
  ['a draft of an invoice', '/v1/invoices', draftInvoice, { status: 'draft' }],
  ['an issued invoice', '/v1/invoices', issueInvoice, { status: 'open' }],
  ['a void invoice', '/v1/invoices', voidInvoice, { status: 'void' }],
  // The schedule's first attempt is due as well, and goes ahead of it.
  ['a redelivery', '/v1/webhook_events', redeliver, { deliveries: [{ attempts: 1, manual_attempts: 1 }] }],
  ['a redelivery to an endpoint of later', '/v1/webhook_events', redeliverToAnother, { deliveries: [{}, {}] }],
];

/** The next step looks for it among the documents, so that it is answered once it stands there. */
const LISTED: readonly Case[] = [
  ['a new endpoint', '/v1/webhook_endpoints', writer => writer.createEndpoint(), { status: 'enabled' }],
  ['a disabled endpoint', '/v1/webhook_endpoints', disableEndpoint, { status: 'disabled' }],
  ['a new key', '/v1/api_keys', writer => writer.mintKey(), { status: 'active' }],
  ['a rotated key', '/v1/api_keys', rotateKey, { status: 'rotating' }],
  ['the key that takes its place', '/v1/api_keys', successorKey, { status: 'active' }],
];

/** The answer comes only where its watcher finds the wallet in a document. */
const VERIFIED = 'a verified wallet';

const OTHER_ADDRESS = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

/** Puts that fail before each one that does not. */
const FAILING_PUTS = 2;

function mostlyFailing(): () => boolean {
  let puts = 0;
  return () => ++puts % (FAILING_PUTS + 1) === 0;
}

let stage: ApiStage;
/** The instance that reads what each writer writes. */
let other: ApiInstance;
/** The writers' instance, whose documents are put while `mirrors` says so. */
let writing: ApiInstance;
let mirrors: () => boolean;

beforeAll(async () => {
  stage = await ApiStage.open();
  other = await stage.startInstance();
  writing = await stage.startInstance({ mirrors: () => mirrors() });
}, LIMIT_MS);

afterAll(() => stage.close());

describe.each<[string, () => boolean, readonly Case[]]>([
  ['whose documents follow at once', () => true, [...BY_ID, ...LISTED]],
  ['whose documents are put at the third try', mostlyFailing(), [...BY_ID, ...LISTED]],
  ['of whose writes the log alone knows', () => false, BY_ID.filter(([name]) => name !== VERIFIED)],
])('two instances over one engine, without projections, and a writer %s', (_, isPut, cases) => {
  let writer: StagedMerchant;
  let reader: StagedMerchant;

  beforeAll(async () => {
    reader = await stage.register(other);
    const wallet = await reader.registerWallet();
    await reader.verifyWallet(wallet.id);
    await reader.routeTo(wallet.id);
    await reader.createEndpoint();
    await reader.createIntent();
    await stage.scheduleWebhooks(other);
    await stage.project();
    await reader.createEndpoint();
    mirrors = isPut;
    writer = reader.at(writing.caller);
  }, LIMIT_MS);

  it.each(cases)(
    '%s is read at the other one as soon as it is answered',
    async (_name, path, act, expected) => {
      const written = await act(writer, reader);
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
    expect(data.map(({ type }: { type: string }) => type)).toEqual(['created', 'canceled']);
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
    // A transfer that comes off a chain is answered to nobody before it is read.
    const covered = new Set([...BY_ID, ...LISTED].map(([, path]) => `${path}/{id}`));
    covered.add('/v1/unmatched_transfers/{id}');
    // The operator's command line makes a fee invoice, and no call of a merchant does.
    covered.add('/v1/fee_invoices/{id}');
    expect(readable.sort()).toEqual([...covered].sort());
  });
});

describe('what another process does after an answer, without projections', () => {
  let writer: StagedMerchant;
  let reader: StagedMerchant;
  let isAway = false;

  beforeAll(async () => {
    reader = await stage.register(other);
    const failing = mostlyFailing();
    mirrors = () => !isAway && failing();
    writer = reader.at(writing.caller);
    await reader.createIntent();
    // From here on the index of endpoints takes the writers' own entries alone.
    await stage.scheduleWebhooks(other);
  }, LIMIT_MS);

  /** The standing of a new payment's events for the endpoint, once the other instance has scheduled them. */
  async function openedFor(endpointId: string): Promise<readonly string[]> {
    const { id } = await reader.createIntent();
    await stage.scheduleWebhooks(other);
    const { store } = stage.core;
    const [created] = await store.readStream(`test.payment_intent-${id}`);
    const delivery = deliveryId(webhookEventId(created as RecordedEvent), endpointId);
    return (await store.readStream(`test.webhook_delivery-${delivery}`)).map(({ type }) => type);
  }

  const change = (id: string, body: object) => writer.done(`POST /v1/webhook_endpoints/${id}`, { body }, true);

  it('is scheduled for an endpoint that was just made', async () => {
    const { id } = await writer.createEndpoint();
    expect(await openedFor(id)).toEqual(['DeliveryScheduled']);
  });

  it('is scheduled for an endpoint that was just enabled again, and withheld from one just disabled', async () => {
    const { id } = await reader.createEndpoint();
    await change(id, { status: 'disabled' });
    expect(await openedFor(id)).toEqual(['DeliveryWithheld']);
    await change(id, { status: 'enabled' });
    expect(await openedFor(id)).toEqual(['DeliveryScheduled']);
  });

  it('is scheduled for an endpoint that has just been subscribed to it', async () => {
    const { id } = await reader.createEndpoint({ enabled_events: ['payment.confirmed'] });
    expect(await openedFor(id)).toEqual([]);
    await change(id, { enabled_events: ['payment.created'] });
    expect(await openedFor(id)).toEqual(['DeliveryScheduled']);
  });

  it('is left alone by a process that finds the index of endpoints behind the log', async () => {
    const { parts } = writing;
    const { id } = await reader.createIntent();
    const [event] = (await stage.core.store.readStream(`test.payment_intent-${id}`)) as [RecordedEvent];
    const scheduling = parts.webhooks.scheduling.handle({ event, retries: 0 });
    await expect(scheduling).rejects.toThrow('the index of webhook endpoints is behind the log');
  });

  it(
    'is not promised to an endpoint, or for a key, that nobody could find',
    async () => {
      const { id } = await reader.createEndpoint();
      const path = `POST /v1/webhook_endpoints/${id}`;
      const body = { status: 'disabled' };
      isAway = true;
      await expect(writer.createEndpoint()).rejects.toThrow('answered 503');
      await expect(writer.mintKey()).rejects.toThrow('answered 503');
      const headers = { 'idempotency-key': 'until it stands' };
      await expect(writer.done(path, { body, headers }, true)).rejects.toThrow('answered 503');
      isAway = false;
      expect(await writer.done(path, { body, headers }, true)).toMatchObject({ status: 'disabled' });
      expect(await openedFor(id)).toEqual(['DeliveryWithheld']);
    },
    LIMIT_MS,
  );

  it('finds the route to a wallet that was just set, though its document could not be put', async () => {
    const wallet = await reader.registerWallet();
    await reader.verifyWallet(wallet.id);
    isAway = true;
    await writer.routeTo(wallet.id);
    isAway = false;
    const { id } = await reader.createIntent();
    const body = { token_id: 'usdc-base', wallet_id: wallet.id };
    const selected = await reader.done(`POST /v1/payment_intents/${id}/select_method`, { body });
    expect(selected).toMatchObject({ status: 'awaiting_payment' });
  });
});

describe('two instances over one engine, without projections', () => {
  let first: StagedMerchant;
  let second: StagedMerchant;
  let rates: readonly RateLimits[];
  const clock = new ManualClock(NOON);

  beforeAll(async () => {
    const limits = () => RateLimits.open(stage.core.documents, clock, { write: 50, read: 20, address: 50 });
    rates = [await limits(), await limits()];
    const [one, other] = [
      await stage.startInstance({ rateLimits: rates[0] as RateLimits }),
      await stage.startInstance({ rateLimits: rates[1] as RateLimits }),
    ];
    first = await stage.register(one);
    second = first.at(other.caller);
  }, LIMIT_MS);

  beforeEach(() => {
    clock.timeMs += 60_000;
  });

  it('list at one what was just posted or put at the other', async () => {
    const wallet = await first.registerWallet();
    await first.verifyWallet(wallet.id);
    const put = await first.routeTo(wallet.id);
    expect(await second.done('GET /v1/routes')).toEqual(put);
    expect((await second.done('GET /v1/wallets')).data).toEqual([await first.done(`GET /v1/wallets/${wallet.id}`)]);
    const endpoint = await first.createEndpoint();
    expect((await second.done('GET /v1/webhook_endpoints')).data[0].id).toBe(endpoint.id);
    const key = await first.mintKey();
    expect((await second.done('GET /v1/api_keys')).data[0].id).toBe(key.id);
    const payment = await first.createIntent();
    expect((await second.done('GET /v1/payment_intents?status=created')).data).toEqual([payment]);
    await second.done(`POST /v1/payment_intents/${payment.id}/cancel`);
    expect((await first.done('GET /v1/payment_intents?status=created')).data).toEqual([]);
    expect((await first.done('GET /v1/payment_intents?status=canceled')).data[0].id).toBe(payment.id);
  });

  it('answer one Idempotency-Key alike, and act on it once', async () => {
    const before = (await first.done('GET /v1/payment_intents?limit=100')).data.length;
    const ask = { body: { amount: '2500', currency: 'EUR' }, headers: { 'idempotency-key': 'at either' } };
    const [one, other] = await Promise.all([
      first.call('POST /v1/payment_intents', ask),
      second.call('POST /v1/payment_intents', ask),
    ]);
    const answered = [one, other].filter(({ status }) => status === 200);
    expect(answered.length).toBeGreaterThan(0);
    for (const refused of [one, other].filter(({ status }) => status !== 200))
      expect(refused).toMatchObject({ status: 409, code: 'idempotency_key_in_use' });
    for (const merchant of [first, second])
      expect((await merchant.call('POST /v1/payment_intents', ask)).body).toEqual(answered[0]?.body);
    expect((await second.done('GET /v1/payment_intents?limit=100')).data).toHaveLength(before + 1);
    const reused = await second.call('POST /v1/payment_intents', { ...ask, body: { ...ask.body, amount: '2501' } });
    expect(reused).toMatchObject({ status: 409, code: 'idempotency_key_reuse' });
  });

  it('take one one-time code once between them', async () => {
    const { address } = developmentWallet(9);
    const headers = { 'mfa-code': first.nextCode() };
    const body = (network_id: string) => ({ network_id, address, label: 'Till', controls_private_key: true });
    const answers = await Promise.all([
      first.call('POST /v1/wallets', { body: body('base'), headers }),
      second.call('POST /v1/wallets', { body: body('bnb'), headers }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
    expect(answers.find(({ status }) => status === 401)?.code).toBe('mfa_proof_invalid');
  });

  it('show when a key was last used: at once where it was, at the other one a moment later', async () => {
    const { id, secret } = await first.mintKey();
    const path = `GET /v1/api_keys/${id}`;
    expect(await second.done(path)).toMatchObject({ last_used_at: null });
    const before = stage.clock.now();
    expect((await first.call('GET /v1/payment_intents', { key: secret })).status).toBe(200);
    const shown = await first.done(path);
    expect(Date.parse(shown.last_used_at)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(shown.last_used_at)).toBeLessThanOrEqual(stage.clock.now());
    const there = await eventually('the use', LIMIT_MS, async () => (await second.done(path)).last_used_at);
    expect(there).toBe(shown.last_used_at);
  });

  it('hold a key to one limit between them', async () => {
    const { secret } = await first.mintKey();
    const read = (merchant: StagedMerchant) => merchant.call('GET /v1/payment_intents', { key: secret });
    for (let count = 0; count < 40; count++) expect((await read(first)).status).toBe(200);
    expect(await read(first)).toMatchObject({ status: 429, code: 'rate_limit' });
    expect((await read(second)).status).toBe(200);
    for (const limits of rates) await limits.share();
    expect(await read(second)).toMatchObject({ status: 429, code: 'rate_limit' });
  });
});
