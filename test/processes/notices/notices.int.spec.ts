import { merchantsProjection } from '../../../projections/merchants.projection';
import { walletsProjection } from '../../../projections/wallets.projection';
import { webhookEndpointsProjection } from '../../../projections/webhook-endpoints.projection';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/kernel/clock';
import type { EventMetadata, RecordedEvent } from '../../../src/kernel/event';
import type { Mode } from '../../../src/vocabulary/modes';
import { StoreUnavailable } from '../../../src/kernel/ports/event-store';
import { MailDispatch, RETRY_PAUSES_MS } from '../../../src/processes/notices/mail-dispatch';
import { NOTICES_AN_HOUR, NOTICE_CATEGORIES, Notices } from '../../../src/processes/notices/notices';
import { OperatorMail } from '../../../src/processes/notices/operator-mail';
import type { OutboxDocument } from '../../../src/modules/outbox/outbox';
import { ANY_MAIL } from '../../support/mail-texts';
import { NOON } from '../../support/payment-fixture';
import { NoticeStage } from './notice-stage';

const MERCHANT = 'mch_00000000000000000000000001';
const WALLET = 'wal_00000000000000000000000001';
const ENDPOINT = 'we_00000000000000000000000001';
const KEY = 'key_00000000000000000000000001';
const ADDRESS = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const OPERATOR = { role: 'admin', type: 'admin', id: 'cli:alice' } as const;
const minted = {
  kind: 'sk',
  name: 'Till',
  scopes: ['payment:read'],
  key_hash: 'hash',
  last4: 'abcd',
  expires_at: null,
};

const route = {
  route_id: 'route_1',
  asset_symbol: 'USDT',
  network_id: 'bnb',
  token_id: 'usdt-bnb',
  wallet_id: WALLET,
  changed: true,
  cooling_down_until: '2026-11-02T12:00:00.000Z',
};

let stage: NoticeStage;

beforeEach(async () => {
  stage = await NoticeStage.open([merchantsProjection, walletsProjection, webhookEndpointsProjection]);
  await record('platform', `merchant-${MERCHANT}`, 'MerchantRegistered', { name: 'Shop', email: 'owner@example.com' });
  const wallet = { network_id: 'bnb', address: ADDRESS, label: 'Till', controls_private_key: true };
  await record('test', `wallet-${WALLET}`, 'WalletRegistered', wallet);
  await record('test', `webhook_endpoint-${ENDPOINT}`, 'WebhookEndpointCreated', {
    url: 'https://shop.example/hook?token=secret',
    description: null,
    enabled_events: ['*'],
    api_version: '2026-11-01',
    secret_id: 'ws_1',
    sealed_secret: 'sealed',
  });
});

afterEach(() => stage.server.stop());

function record(
  universe: 'platform' | Mode,
  stream: string,
  type: string,
  data: object,
  changes: Partial<EventMetadata> = {},
): Promise<RecordedEvent> {
  const actor = { role: 'merchant', type: 'api_key', id: 'key_1' } as const;
  const cause = { actor, merchant_id: MERCHANT, ip: '203.0.113.7', command_id: 'c-1' };
  return stage.record(
    universe,
    stream,
    { type, data },
    { ...cause, occurred_at: '2026-11-01T12:00:00.000Z', ...changes },
  );
}

function notices(canSend = true): Notices {
  const { readModels, outbox, clock, log } = stage;
  const operatorMail = new OperatorMail(outbox, 'operator@pay.example', clock, log);
  return new Notices({
    outbox,
    operatorMail,
    writes: { load: () => Promise.reject(new Error('no payment is read here')) },
    invoiceMail: { tell: () => Promise.reject(new Error('no invoice is told here')) },
    queueMail: { tell: () => Promise.reject(new Error('no transfer is told here')) },
    feeMail: { tell: () => Promise.resolve() },
    readModels,
    canSend,
    clock,
    log,
  });
}

const dispatch = () => stage.dispatch();
const changeRoute = () => record('test', `routes-${MERCHANT}`, 'RouteSet', route);

async function outboxed(): Promise<readonly OutboxDocument[]> {
  const lists = ['queued', 'sent', 'given_up'].map(status =>
    stage.messages.list({ index: 'by_due', equals: { status }, limit: 10 }),
  );
  return (await Promise.all(lists)).flat().map(({ body }) => body);
}

it('mails the merchant once about a changed route, however often the event is given', async () => {
  const event = await changeRoute();
  await notices().handle({ event, retries: 0 });
  await dispatch().sweep();
  await notices().handle({ event, retries: 1 });
  await dispatch().sweep();
  expect(stage.server.received).toHaveLength(1);
  const [mail] = stage.server.received;
  expect(mail?.to).toStrictEqual(['owner@example.com']);
  expect(mail?.source).toContain('Subject: Payments in USDT on BNB Smart Chain go to another wallet now');
  for (const fact of [`New address: ${ADDRESS}`, 'API key key_1', '203.0.113.7', 'Nov 2, 2026, 12:00 UTC']) {
    expect(mail?.source).toContain(fact);
  }
  expect(await outboxed()).toMatchObject([{ status: 'sent', attempts: 1, done_at: '2026-11-01T12:00:00.000Z' }]);
});

it('mails about an endpoint that was switched off for its failures, without what its URL may keep secret', async () => {
  const data = { reason: 'sustained_failure' };
  const event = await record('test', `webhook_endpoint-${ENDPOINT}`, 'WebhookEndpointDisabled', data);
  await notices().handle({ event, retries: 0 });
  await dispatch().sweep();
  expect(stage.server.received[0]?.source).toContain(ENDPOINT);
  expect(stage.server.received[0]?.source).toContain('shop.example');
  expect(stage.server.received[0]?.source).not.toContain('token=secret');
});

it.each([
  [`routes-${MERCHANT}`, 'RouteSet', { ...route, changed: false, cooling_down_until: null }, 'route_set', ADDRESS],
  [`api_key-${KEY}`, 'ApiKeyMinted', minted, 'api_key_minted', 'payment:read'],
  [
    `api_key-${KEY}`,
    'ApiKeyRotated',
    { successor: 'key_2', expires_at: '2026-11-08T12:00:00.000Z' },
    'api_key_rotated',
    'key_2',
  ],
  [`api_key-${KEY}`, 'ApiKeyRevoked', {}, 'api_key_revoked', KEY],
  [
    `webhook_endpoint-${ENDPOINT}`,
    'WebhookEndpointMoved',
    { url: 'https://new.example/' },
    'endpoint_moved',
    'new.example',
  ],
  [
    `webhook_endpoint-${ENDPOINT}`,
    'SigningSecretRolled',
    { overlap_ends_at: '2026-11-02T12:00:00.000Z' },
    'endpoint_secret_rolled',
    'Nov 2, 2026, 12:00 UTC',
  ],
  [
    `webhook_endpoint-${ENDPOINT}`,
    'WebhookEndpointDisabled',
    { reason: 'disabled_by_merchant' },
    'endpoint_disabled',
    ENDPOINT,
  ],
] as const)('mails about %s: %s', async (stream, type, data, kind, fact) => {
  const event = await record('test', stream, type, data);
  await notices().handle({ event, retries: 0 });
  await notices().handle({ event, retries: 1 });
  const origin = { merchant_id: MERCHANT, to: 'owner@example.com' };
  expect(await outboxed()).toMatchObject([{ ...origin, kind, text: expect.stringContaining(fact) as string }]);
  expect((await outboxed())[0]?.text).toContain('From network address: 203.0.113.7');
});

it('mails no more changes of an account than a mailbox holds', async () => {
  for (let count = 0; count <= NOTICES_AN_HOUR; count++) {
    const event = await record('test', `api_key-${KEY}`, 'ApiKeyRevoked', {});
    await notices().handle({ event, retries: 0 });
  }
  const listed = () => stage.messages.list({ index: 'by_due', equals: { status: 'queued' }, limit: 100 });
  expect(await listed()).toHaveLength(NOTICES_AN_HOUR);
  expect(stage.log.lines.filter(({ level }) => level === 'warn')).toHaveLength(1);
  stage.clock.timeMs += HOUR_MS + 1;
  await notices().handle({ event: await record('test', `api_key-${KEY}`, 'ApiKeyRevoked', {}), retries: 0 });
  expect(await listed()).toHaveLength(NOTICES_AN_HOUR + 1);
});

it('mails about a settled payment whose transfer the chain took back', async () => {
  const payment = 'pi_00000000000000000000000001';
  const event = await record('test', `payment_intent-${payment}`, 'SettledTransferLost', { transfer_id: 'tr_1' });
  await notices().handle({ event, retries: 0 });
  await dispatch().sweep();
  expect(stage.server.received[0]?.source).toContain(payment);
  expect(stage.server.received[0]?.source).toContain('tr_1');
});

it('mails about nothing else', async () => {
  const quiet = [
    await record('test', `webhook_endpoint-${ENDPOINT}`, 'WebhookEndpointEnabled', {}),
    await record('test', `webhook_endpoint-${ENDPOINT}`, 'WebhookEndpointDescribed', { description: 'Till' }),
    await record('test', `api_key-${KEY}`, 'ApiKeyMinted', minted, { command_id: 'c-1/successor' }),
    await record('test', `api_key-${KEY}`, 'ApiKeyMinted', minted, { actor: OPERATOR }),
  ];
  const reads = jest.spyOn(stage.readModels, 'get');
  for (const event of quiet) await notices().handle({ event, retries: 0 });
  expect(await outboxed()).toStrictEqual([]);
  expect(reads).not.toHaveBeenCalled();
});

it('tries again after a passing refusal, with growing pauses', async () => {
  await notices().handle({ event: await changeRoute(), retries: 0 });
  stage.server.refuseWith = 451;
  await dispatch().sweep();
  expect(await outboxed()).toMatchObject([
    { status: 'queued', attempts: 1, detail: expect.stringContaining('451') as string },
  ]);
  stage.clock.timeMs += (RETRY_PAUSES_MS[0] ?? 0) - 1;
  await dispatch().sweep();
  expect(stage.server.attempts).toBe(1);
  stage.clock.timeMs += 1;
  await dispatch().sweep();
  expect(stage.server.attempts).toBe(2);
  stage.server.refuseWith = null;
  stage.clock.timeMs += RETRY_PAUSES_MS[1] ?? 0;
  await dispatch().sweep();
  expect(stage.server.received).toHaveLength(1);
  expect(await outboxed()).toMatchObject([{ status: 'sent', attempts: 3 }]);
});

it('gives up after a final refusal, and says so', async () => {
  await notices().handle({ event: await changeRoute(), retries: 0 });
  stage.server.refuseWith = 550;
  await dispatch().sweep();
  stage.server.refuseWith = null;
  stage.clock.timeMs += 7 * 24 * 3_600_000;
  await dispatch().sweep();
  expect(stage.server.received).toStrictEqual([]);
  expect(await outboxed()).toMatchObject([
    { status: 'given_up', attempts: 1, detail: expect.stringContaining('550') as string },
  ]);
  expect(stage.log.lines).toContainEqual(expect.objectContaining({ level: 'error', message: 'mail given up' }));
});

it('gives up after its last pause', async () => {
  await notices().handle({ event: await changeRoute(), retries: 0 });
  stage.server.refuseWith = 451;
  await dispatch().sweep();
  for (const pauseMs of RETRY_PAUSES_MS) {
    stage.clock.timeMs += pauseMs;
    await dispatch().sweep();
  }
  expect(await outboxed()).toMatchObject([{ status: 'given_up', attempts: RETRY_PAUSES_MS.length + 1 }]);
});

it('tells the log nothing of a customer whose mail is put off or given up', async () => {
  await stage.outbox.put({ id: 'evt-1', to: 'ada@example.com', merchantId: MERCHANT, ...ANY_MAIL }, stage.clock.now());
  Object.assign(stage.outbox, { isOfCustomers: true });
  stage.server.refuseWith = 451;
  await dispatch().sweep();
  stage.server.refuseWith = 550;
  stage.clock.timeMs += RETRY_PAUSES_MS[0] ?? 0;
  await dispatch().sweep();
  expect(stage.log.lines.map(({ facts }) => facts)).toStrictEqual([
    { mail: 'evt-1', attempts: 1, retry_in_ms: RETRY_PAUSES_MS[0] },
    { mail: 'evt-1', attempts: 2 },
  ]);
});

it('removes a message 30 days after it was done, and none that waits', async () => {
  const mail = { to: 'owner@example.com', merchantId: null, ...ANY_MAIL };
  await stage.outbox.put({ id: 'sent', ...mail }, stage.clock.now());
  await dispatch().sweep();
  await stage.outbox.put({ id: 'waits', ...mail }, stage.clock.now(), NOON + 60 * DAY_MS);
  stage.clock.timeMs += 29 * DAY_MS;
  await dispatch().sweep();
  expect(await stage.outbox.find('sent')).not.toBeNull();
  stage.clock.timeMs += 1.1 * DAY_MS;
  await dispatch().sweep();
  expect(await stage.outbox.find('sent')).toBeNull();
  expect(await stage.outbox.find('waits')).not.toBeNull();
});

it('sends a message once though two senders find it, and again where its sender died in the middle', async () => {
  await notices().handle({ event: await changeRoute(), retries: 0 });
  await Promise.all([dispatch().sweep(), dispatch().sweep()]);
  expect(stage.server.received).toHaveLength(1);

  await notices().handle({ event: await changeRoute(), retries: 0 });
  const dying = { send: () => Promise.reject(new Error('killed')) };
  await expect(new MailDispatch(stage.outbox, dying, stage.clock, stage.log).sweep()).rejects.toThrow('killed');
  await dispatch().sweep();
  expect(stage.server.received).toHaveLength(1);
  stage.clock.timeMs += 5 * 60_000;
  await dispatch().sweep();
  expect(stage.server.received).toHaveLength(2);
});

it('keeps messages where no mail server is configured, and logs whom they are for', async () => {
  await notices(false).handle({ event: await changeRoute(), retries: 0 });
  expect(await outboxed()).toMatchObject([{ status: 'queued', attempts: 0 }]);
  expect(stage.log.lines).toStrictEqual([
    {
      level: 'info',
      message: 'no mail server: the message is kept in the outbox',
      facts: { to: 'owner@example.com', mail: 'route_changed' },
    },
  ]);
});

describe('sending that is interrupted', () => {
  const MINUTES = 3;

  /** The log lines of three minutes in which each look into the outbox ends so. */
  async function linesWhile(error: Error) {
    const stopping = new AbortController();
    stage.clock.wait = async delayMs => {
      stage.clock.timeMs += delayMs;
      if (stage.clock.timeMs - NOON >= MINUTES * MINUTE_MS) stopping.abort();
      await Promise.resolve();
    };
    jest.spyOn(stage.outbox, 'due').mockRejectedValue(error);
    await dispatch().run(stopping.signal);
    return stage.log.lines.map(({ level, message }) => `${level} ${message}`);
  }

  it('by an outage of the store warns at most once a minute', async () => {
    const told = await linesWhile(new StoreUnavailable('list of outbox: unavailable'));
    expect(told).toStrictEqual(Array.from({ length: MINUTES }, () => 'warn sending mail was interrupted'));
  });

  it('by a fault of its own says so each time, as an error', async () => {
    const told = await linesWhile(new TypeError('no such field'));
    expect(told.length).toBeGreaterThan(MINUTES);
    expect(new Set(told)).toStrictEqual(new Set(['error sending mail was interrupted']));
  });
});

describe('mail to the operator', () => {
  it.each([
    ['coverage_hole-bnb:56:7:0x07', 'CoverageHoleClosed', { note: 'lost by all' }, 'Note: lost by all'],
    ['deferred_transfer-bnb:0xaa:0:0x07', 'DeferredTransferGivenUp', { reason: 'damaged' }, 'Reason: damaged'],
  ])('is sent once from the event that gives %s up, whoever gave it up', async (stream, type, data, line) => {
    const event = await record('live', stream, type, data);
    await notices().handle({ event, retries: 0 });
    await notices().handle({ event, retries: 1 });
    const [message, ...more] = await outboxed();
    expect(more).toHaveLength(0);
    expect(message?.to).toBe('operator@pay.example');
    expect(message?.text).toContain(`live.${stream}\n${line}\n`);
    expect(message?.text).toMatch(/by: key_1\n/);
  });

  it('is read by the group from the categories of what can be given up', () => {
    expect(NOTICE_CATEGORIES).toEqual(expect.arrayContaining(['coverage_hole', 'deferred_transfer']));
  });
});
