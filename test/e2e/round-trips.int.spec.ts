import { randomUUID } from 'node:crypto';
import { CommandBus } from '@nestjs/cqrs';
import { operatorContext } from '../../src/cli/operator-context';
import { LiftVelocityLimit, SetVelocityLimit } from '../../src/modules/controls/commands/velocity-limit.command';
import type { ApiInstance } from '../support/api-stage';
import { CountedApi } from '../support/counted-api';
import type { StagedMerchant } from '../support/staged-merchant';

const LIMIT_MS = 60_000;

describe('the round trips of a request to the engines', () => {
  let api: CountedApi;
  let merchant: StagedMerchant;
  /** The one wallet, to which the route of USDC on Base leads. */
  let walletId: string;
  /** Another process, whose round trips are not counted. */
  let elsewhere: ApiInstance;

  beforeAll(async () => {
    api = await CountedApi.open();
    ({ merchant } = api);
    elsewhere = await api.stage.startInstance();
    walletId = String((await merchant.registerWallet()).id);
    await merchant.verifyWallet(walletId);
    await merchant.routeTo(walletId);
  }, LIMIT_MS);
  afterAll(() => api.close(), LIMIT_MS);

  it('are three for a new payment', async () => {
    expect(await api.asked(() => merchant.createIntent())).toEqual([
      'getAll access',
      'append payment_intent',
      'putNewer payment_intents',
    ]);
  });

  it('are two more with an Idempotency-Key', async () => {
    expect(await api.asked(() => api.createIntentOnce())).toEqual([
      'getAll access',
      'insert idempotency_records',
      'append payment_intent',
      'putNewer payment_intents',
      'replace idempotency_records',
    ]);
  });

  it('are four where merchants are limited, and three again once the limit is lifted', async () => {
    const { stage } = api;
    const context = operatorContext({ ...stage.core, user: 'alice' });
    const bus = elsewhere.app.get(CommandBus);
    const limit = { windowMs: 60_000, maxCount: 1_000, maxAmountUsdMinorUnits: 10n ** 9n };
    await bus.execute(new SetVelocityLimit('merchant', limit, context));
    await merchant.createIntent();
    expect(await api.asked(() => merchant.createIntent())).toEqual([
      'getAll access',
      'replace velocity_counts',
      'append payment_intent',
      'putNewer payment_intents',
    ]);
    const { id } = await merchant.done('POST /v1/invoices', { body: { currency: 'EUR', amount: '2500' } });
    const issued = await api.asked(() => merchant.done(`POST /v1/invoices/${id}/issue`));
    expect(issued.filter(each => each.startsWith('readStream'))).toEqual(['readStream invoice']);
    await bus.execute(new LiftVelocityLimit('merchant', 'Enough.', { ...context, commandId: 'lift' }));
    await merchant.createIntent();
    expect(await api.asked(() => merchant.createIntent())).toHaveLength(3);
  });

  it('are two for a replay', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const first = await merchant.createIntent({}, { headers });
    let again: { id: string } | null = null;
    expect(await api.asked(async () => (again = await merchant.createIntent({}, { headers })))).toEqual([
      'getAll access',
      'get idempotency_records',
    ]);
    expect(again).toEqual(first);
  });

  it('are one more for a cancellation where the payment was made, and two more elsewhere', async () => {
    const { id } = await merchant.createIntent();
    expect(await api.asked(() => merchant.done(`POST /v1/payment_intents/${id}/cancel`))).toEqual([
      'getAll access',
      'append payment_intent',
      'putNewer payment_intents',
    ]);
    const there = merchant.at(elsewhere.caller);
    const { id: made } = await there.createIntent();
    expect(await api.asked(() => merchant.done(`POST /v1/payment_intents/${made}/cancel`))).toEqual([
      'getAll access',
      'readStream payment_intent',
      'append payment_intent',
      'putNewer payment_intents',
    ]);
  });

  // The guard reads the account, with the switches of all tokens. A wallet is its document and the newer events of its
  // stream. The list of wallets is the watcher's, and may lack the wallet.
  it('read the payment, the wallet, the routes and the coverage once where a method is selected', async () => {
    const body = { token_id: 'usdc-base', wallet_id: walletId };
    const { id: first } = await merchant.createIntent();
    await merchant.done(`POST /v1/payment_intents/${first}/select_method`, { body });
    const { id } = await merchant.createIntent();
    expect(await api.asked(() => merchant.done(`POST /v1/payment_intents/${id}/select_method`, { body }))).toEqual([
      'getAll access',
      'readStream payment_intent',
      'get coverage',
      'get wallets',
      'readStream wallet',
      'list wallets',
      'readStream routes',
      'readStream amount_slot',
      'append amount_slot',
      'append payment_intent',
      'putNewer payment_intents',
    ]);
  });

  it('read the account once where settings are shown, and an invoice is drafted and issued', async () => {
    expect(await api.asked(() => merchant.done('GET /v1/settings'))).toEqual(['getAll access']);
    const customer = { name: 'Ada', email: 'ada@shop.example' };
    const body = { currency: 'EUR', amount: '2500', customer };
    const drafted = await api.asked(() => merchant.done('POST /v1/invoices', { body }));
    expect(drafted.filter(asked => asked.endsWith(' access'))).toEqual(['getAll access']);
    const { id } = await merchant.done('POST /v1/invoices', { body });
    const issued = await api.asked(() => merchant.done(`POST /v1/invoices/${id}/issue`));
    expect(issued.filter(asked => asked.endsWith(' access'))).toEqual(['getAll access']);
  });

  it('read an invoice and its payment once where the invoice is issued, and where it is voided', async () => {
    const customer = { name: 'Ada', email: 'ada@shop.example' };
    const body = { currency: 'EUR', amount: '2500', customer };
    const { id } = await merchant.done('POST /v1/invoices', { body });
    expect(await api.asked(() => merchant.done(`POST /v1/invoices/${id}/issue`))).toEqual([
      'getAll access',
      'readStream invoice',
      'append invoice',
      'putNewer invoices',
      'append payment_intent',
      'putNewer payment_intents',
    ]);
    expect(await api.asked(() => merchant.done(`POST /v1/invoices/${id}/void`))).toEqual([
      'getAll access',
      'readStream invoice',
      'readStream payment_intent',
      'append payment_intent',
      'putNewer payment_intents',
      'append invoice',
      'putNewer invoices',
    ]);
  });

  it('read no invoice after it was mailed', async () => {
    const customer = { name: 'Ada', email: 'ada@shop.example' };
    const { id } = await merchant.done('POST /v1/invoices', { body: { currency: 'EUR', amount: '2500', customer } });
    await merchant.done(`POST /v1/invoices/${id}/issue`);
    const asked = await api.asked(() => merchant.done(`POST /v1/invoices/${id}/send`));
    expect(asked.slice(-2)).toEqual(['append invoice', 'putNewer invoices']);
    expect(asked.filter(each => each === 'readStream invoice')).toHaveLength(1);
  });

  it('are three for a new payment link, and for its end', async () => {
    const written = ['getAll access', 'append payment_link', 'putNewer payment_links'];
    const body = { kind: 'fixed', currency: 'EUR', amount: '2500' };
    let id = '';
    const create = async () => ({ id } = await merchant.done('POST /v1/payment_links', { body }));
    expect(await api.asked(create)).toEqual(written);
    expect(await api.asked(() => merchant.done(`POST /v1/payment_links/${id}/deactivate`))).toEqual(written);
  });

  it("are two for a payment's history", async () => {
    const { id } = await merchant.createIntent();
    expect(await api.asked(() => merchant.done(`GET /v1/payment_intents/${id}/events`))).toEqual([
      'getAll access',
      'readStream payment_intent',
    ]);
  });

  it('read no stream where webhook events are listed', async () => {
    const { stage } = api;
    await merchant.createEndpoint();
    for (let count = 0; count < 100; count++) await merchant.createIntent();
    await stage.scheduleWebhooks(elsewhere);
    await stage.project();
    let listed: { data: unknown[] } = { data: [] };
    const asked = await api.asked(async () => (listed = await merchant.done('GET /v1/webhook_events?limit=100')));
    expect(listed.data).toHaveLength(100);
    expect(asked).toEqual(['getAll access', 'get checkpoints', 'list webhook_events', 'getAll webhook_payments']);
  });

  it('are one for a request that is refused for its body', async () => {
    const body = { amount: '2500', currency: 'eur' };
    expect(await api.asked(() => merchant.call('POST /v1/payment_intents', { body }))).toEqual(['getAll access']);
  });
});
