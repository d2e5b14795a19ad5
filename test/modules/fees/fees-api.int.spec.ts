import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { operatorContext } from '../../../src/cli/operator-context';
import { DAY_MS } from '../../../src/kernel/clock';
import { checkoutContext } from '../../../src/modules/checkout/checkout-context';
import { GetCheckoutPayment } from '../../../src/modules/checkout/queries/get-checkout-payment.query';
import { GetCheckoutTerms } from '../../../src/modules/checkout/queries/get-checkout-terms.query';
import { feeAccruals } from '../../../src/modules/fees/fee-accrual.decider';
import { RestartPayment } from '../../../src/modules/payment-intents/commands/restart-payment.command';
import { paymentIntents } from '../../../src/modules/payment-intents/payment-intent.decider';
import type { LiveContext } from '../../../src/processes/fees/fee-billing';
import { ApiStage, type ApiInstance } from '../../support/api-stage';
import { bookFees } from '../../support/booked-fees';
import type { StagedMerchant } from '../../support/staged-merchant';

const LIMIT_MS = 60_000;
const ORDER = { amount: '2500', currency: 'EUR' };

let stage: ApiStage;
/** Each has the other's merchant too, and answers from its own memory. */
let instances: readonly [ApiInstance, ApiInstance];
let merchant: StagedMerchant;
let there: StagedMerchant;
let live: { readonly key: string };

beforeAll(async () => {
  stage = await ApiStage.open();
  instances = [await stage.startInstance({ takesLive: true }), await stage.startInstance({ takesLive: true })];
  stage.follow();
}, LIMIT_MS);
beforeEach(async () => {
  merchant = await stage.register(instances[0]);
  there = merchant.at(instances[1].caller);
  live = { key: merchant.registered.keys.live };
});
afterAll(() => stage.close(), LIMIT_MS);

const billing = () => instances[0].parts.fees.billing;

function context(merchantId = merchant.id): LiveContext {
  return { ...operatorContext({ ...stage.core, user: 'alice' }), universe: 'live', merchantId };
}

/** The fee of a payment of live mode. */
async function accrue(payment: string, amountMinorUnits: bigint, currency = 'EUR'): Promise<void> {
  const command = { type: 'accrue', currency, reckonedOnMinorUnits: amountMinorUnits, bps: 50 } as const;
  await stage.core.writes.execute(feeAccruals, payment, command, context());
}

/** Entries of one moment have no order. */
async function nextMoment(): Promise<void> {
  const { clock } = stage.core;
  for (const nowMs = clock.now(); clock.now() === nowMs;) await setImmediate();
}

const paymentId = () =>
  `pi_${randomUUID()
    .replaceAll('-', '')
    .slice(0, 26)
    .replaceAll(/[ilou]/g, 'x')}`;

describe('the fees of a merchant', () => {
  it('are listed newest first, and sum up to the balance by currency', async () => {
    const [first, second] = [paymentId(), paymentId()];
    await accrue(first, 250_000n);
    await nextMoment();
    await accrue(second, 100n, 'JPY');
    await nextMoment();
    const adjustment = { currency: 'EUR', amountMinorUnits: -50n, paymentIntent: null, memo: 'a gift' };
    await billing().adjust(adjustment, context());
    await nextMoment();
    const { id, state } = await billing().invoice('EUR', context());
    await nextMoment();
    await billing().adjust({ ...adjustment, amountMinorUnits: -30n }, context());
    await stage.project();
    const { data } = await merchant.done('GET /v1/fees', live);
    expect(data).toMatchObject([
      { kind: 'adjustment', amount: '-30', currency: 'EUR', memo: 'a gift', payment_intent: null },
      { kind: 'invoice', amount: '-1200', currency: 'EUR', fee_invoice: id, memo: null },
      { kind: 'adjustment', amount: '-50', currency: 'EUR', fee_invoice: null },
      { kind: 'accrual', amount: '1', currency: 'JPY', currency_decimals: 0, payment_intent: second },
      { kind: 'accrual', amount: '1250', currency: 'EUR', currency_decimals: 2, payment_intent: first, mode: 'live' },
    ]);
    const paged = await merchant.done(`GET /v1/fees?limit=2&starting_after=${data[1].id}`, live);
    expect([paged.data, paged.has_more]).toEqual([data.slice(2, 4), true]);
    expect(await merchant.done('GET /v1/fees/balance', live)).toEqual({
      object: 'fee_balance',
      mode: 'live',
      outstanding: [
        { currency: 'EUR', currency_decimals: 2, amount: '-30' },
        { currency: 'JPY', currency_decimals: 0, amount: '1' },
      ],
    });
    const invoice = await merchant.done(`GET /v1/fee_invoices/${id}`, live);
    expect(invoice).toMatchObject({
      object: 'fee_invoice',
      number: state.facts.number,
      amount: '1200',
      status: 'open',
      paid_at: null,
    });
    expect(Date.parse(invoice.due_at) - Date.parse(invoice.created)).toBe(30 * DAY_MS);
    expect((await merchant.done('GET /v1/fee_invoices', live)).data).toEqual([invoice]);
  });

  it('are seen with the scope fee:read, in their mode, by their merchant alone', async () => {
    const { feeInvoice } = await bookFees(stage.core, 'live', merchant.id);
    await stage.project();
    const stranger = await stage.register(instances[0]);
    const others = [{}, { key: stranger.registered.keys.live }];
    for (const asked of others) {
      expect((await merchant.done('GET /v1/fees', asked)).data).toEqual([]);
      expect((await merchant.done('GET /v1/fees/balance', asked)).outstanding).toEqual([]);
      expect((await merchant.done('GET /v1/fee_invoices', asked)).data).toEqual([]);
      expect(await merchant.call(`GET /v1/fee_invoices/${feeInvoice}`, asked)).toMatchObject({
        code: 'resource_missing',
      });
    }
    const { secret: key } = await merchant.mintKey({ kind: 'rk', scopes: ['payment:read'] });
    for (const path of ['fees', 'fees/balance', 'fee_invoices', `fee_invoices/${feeInvoice}`])
      expect(await merchant.call(`GET /v1/${path}`, { key })).toMatchObject({ code: 'insufficient_scope' });
  });

  it('are empty at first', async () => {
    expect((await merchant.done('GET /v1/fees/balance', live)).outstanding).toEqual([]);
  });
});

describe('a fee invoice that is not paid', () => {
  let invoice: string;
  const create = (who: StagedMerchant, ask: object = {}) =>
    who.call('POST /v1/payment_intents', { ...live, ...ask, body: ORDER });

  beforeEach(async () => {
    await accrue(paymentId(), 250_000n);
    ({ id: invoice } = await billing().invoice('EUR', context()));
    for (const who of [merchant, there]) expect(await create(who)).toMatchObject({ status: 200 });
  });

  it('pauses live mode 14 days after it was due, at every instance, until it is paid', async () => {
    const open = (await create(there)).body;
    const repeated = { headers: { 'idempotency-key': randomUUID() } };
    const first = (await create(there, repeated)).body;
    stage.clock.aheadMs += 43 * DAY_MS;
    expect(await create(there)).toMatchObject({ status: 200 });
    stage.clock.aheadMs += DAY_MS;
    for (const who of [merchant, there])
      expect(await create(who)).toMatchObject({ status: 403, code: 'payments_paused' });
    // Test mode, reading, and payments that were created before go on.
    await there.createIntent();
    expect(await there.call(`GET /v1/payment_intents/${open.id}`, live)).toMatchObject({ status: 200 });
    expect(await there.call(`POST /v1/payment_intents/${open.id}/cancel`, live)).toMatchObject({ status: 200 });
    expect((await there.done(`GET /v1/payment_intents/${first.id}`, live)).status).toBe('created');
    await billing().pay(invoice, 'Bank 17', context());
    for (const who of [merchant, there]) expect(await create(who)).toMatchObject({ status: 200 });
    expect(await there.done(`GET /v1/fee_invoices/${invoice}`, live)).toMatchObject({
      status: 'paid',
      paid_at: expect.any(String),
    });
  });

  it('lets no invoice make a payment, and issues the draft afterwards', async () => {
    const draft = await merchant.done('POST /v1/invoices', { ...live, body: ORDER });
    const issue = () => there.call(`POST /v1/invoices/${draft.id}/issue`, live);
    stage.clock.aheadMs += 44 * DAY_MS;
    expect(await issue()).toMatchObject({ status: 403, code: 'payments_paused' });
    expect(await there.done(`GET /v1/invoices/${draft.id}`, live)).toMatchObject({ status: 'draft' });
    await billing().pay(invoice, 'Bank 17', context());
    expect(await issue()).toMatchObject({ status: 200, body: { status: 'open' } });
  });

  it('lets no link open a payment, whose use is not counted', async () => {
    const link = await merchant.done('POST /v1/payment_links', { ...live, body: { kind: 'fixed', ...ORDER } });
    const open = () => there.call(`POST /v1/payment_links/${link.id}/payment_intents`, { ...live, body: {} });
    expect(await open()).toMatchObject({ status: 200 });
    stage.clock.aheadMs += 44 * DAY_MS;
    expect(await open()).toMatchObject({ status: 403, code: 'payments_paused' });
    expect(await there.done(`GET /v1/payment_links/${link.id}`, live)).toMatchObject({ use_count: 1 });
    await billing().pay(invoice, 'Bank 17', context());
    expect(await open()).toMatchObject({ status: 200 });
  });

  it('pauses another merchant at no time, and nobody who has paid in time', async () => {
    const other = await stage.register(instances[0]);
    await billing().pay(invoice, 'Bank 17', context());
    stage.clock.aheadMs += 60 * DAY_MS;
    expect(await create(there)).toMatchObject({ status: 200 });
    expect(await create(other, { key: other.registered.keys.live })).toMatchObject({ status: 200 });
  });

  it('lets the customer of a payment that was created before choose a method, and start none anew', async () => {
    const wallet = await merchant.registerWallet({}, live);
    await merchant.verifyWallet(wallet.id, merchant.owner, live);
    await merchant.routeTo(wallet.id, live);
    const { id } = (await create(there)).body;
    stage.clock.aheadMs += 44 * DAY_MS;
    expect(await create(there)).toMatchObject({ code: 'payments_paused' });
    await stage.coverLive();
    for (const { parts } of instances) await parts.rates.refresh();
    const body = { token_id: 'usdc-base', wallet_id: wallet.id };
    const selected = await there.done(`POST /v1/payment_intents/${id}/select_method`, { ...live, body });
    expect(selected.status).toBe('awaiting_payment');
    await merchant.done('POST /v1/settings', { ...live, body: { checkout_restart: true } });
    const nowMs = Date.parse(selected.expires_at) + 1;
    const sweeper = { role: 'sweeper', type: 'system', id: 'expiry' } as const;
    await stage.core.writes.execute(
      paymentIntents,
      id,
      { type: 'expire' },
      { ...context(), actor: sweeper, now: nowMs },
    );
    const [{ app }] = instances;
    const request = { commandId: 'page-1', requestId: 'req_1', ip: null, now: nowMs };
    const restart = async () => {
      const terms = await app.get(QueryBus).execute(new GetCheckoutTerms(id));
      if (terms === null) throw new Error(`${id} has no terms`);
      return app.get(CommandBus).execute(new RestartPayment(id, terms, checkoutContext(terms, request)));
    };
    expect(await app.get(QueryBus).execute(new GetCheckoutPayment(id))).toMatchObject({ mayRestart: false });
    await expect(restart()).rejects.toMatchObject({ code: 'payments_paused' });
    await billing().pay(invoice, 'Bank 17', context());
    expect(await app.get(QueryBus).execute(new GetCheckoutPayment(id))).toMatchObject({ mayRestart: true });
    expect(await restart()).toMatch(/^pi_/);
  });
});
