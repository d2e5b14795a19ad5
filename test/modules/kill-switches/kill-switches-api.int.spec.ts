import { CommandBus, QueryBus, type Command } from '@nestjs/cqrs';
import { operatorContext } from '../../../src/cli/operator-context';
import { checkoutContext } from '../../../src/modules/checkout/checkout-context';
import { GetCheckoutPayment } from '../../../src/modules/checkout/queries/get-checkout-payment.query';
import { LiftKillSwitch, SetKillSwitch } from '../../../src/modules/kill-switches/kill-switch.command';
import { CloseMerchant } from '../../../src/modules/merchants/commands/disable-merchant.command';
import { paymentSettingsOf } from '../../../src/modules/merchants/read-account';
import { GetPayLinkTerms } from '../../../src/modules/payment-links/queries/get-pay-link-terms.query';
import { IssueInvoice } from '../../../src/modules/invoices/commands/invoice-payments.command';
import type { Mode } from '../../../src/vocabulary/modes';
import { ApiStage, type ApiInstance } from '../../support/api-stage';
import type { StagedMerchant } from '../../support/staged-merchant';
import { accountNow, methodTermsNow } from '../../support/payment-terms';

const LIMIT_MS = 60_000;
const ORDER = { amount: '2500', currency: 'EUR' };

let stage: ApiStage;
/** Each answers from its own memory: a switch that one of them takes is seen by the other. */
let instances: readonly [ApiInstance, ApiInstance];
let merchant: StagedMerchant;
let there: StagedMerchant;
let walletId: string;

beforeAll(async () => {
  stage = await ApiStage.open();
  instances = [await stage.startInstance({ takesLive: true }), await stage.startInstance({ takesLive: true })];
  stage.follow();
}, LIMIT_MS);
beforeEach(async () => {
  merchant = await stage.register(instances[0]);
  there = merchant.at(instances[1].caller);
  const wallet = await merchant.registerWallet();
  walletId = wallet.id;
  await merchant.verifyWallet(walletId);
  await merchant.routeTo(walletId);
});
afterAll(() => stage.close(), LIMIT_MS);

const operator = () => operatorContext({ ...stage.core, user: 'alice' });
const execute = <Result>(command: Command<Result>): Promise<Result> =>
  instances[0].app.get(CommandBus).execute(command);
const stopOf = (mode: Mode) => ({ mode, ground: 'operator' }) as const;
const set = (scope: string, subject: string, mode: Mode = 'test') =>
  execute(new SetKillSwitch(scope, subject, stopOf(mode), 'an alarm', operator()));
const lift = (scope: string, subject: string, mode: Mode = 'test') =>
  execute(new LiftKillSwitch(scope, subject, stopOf(mode), 'it is over', operator()));
const create = (key = merchant.registered.keys.test) => there.call('POST /v1/payment_intents', { key, body: ORDER });
const view = (id: string) => instances[1].app.get(QueryBus).execute(new GetCheckoutPayment(id));
const customer = () =>
  checkoutContext(
    { mode: 'test', merchantId: merchant.id },
    { commandId: 'page', requestId: 'req_1', ip: null, now: stage.clock.now() },
  );
const select = (id: string) =>
  there.call(`POST /v1/payment_intents/${id}/select_method`, { body: { token_id: 'usdc-base', wallet_id: walletId } });

describe('the kill switch of a merchant', () => {
  it('stops new payments of its mode on the next request anywhere, until it is lifted', async () => {
    const { live } = merchant.registered.keys;
    const { id } = (await create()).body;
    const link = await merchant.done('POST /v1/payment_links', { body: { kind: 'fixed', ...ORDER } });
    const draft = await merchant.done('POST /v1/invoices', { body: ORDER });
    const tries = [
      () => create(),
      () => there.call(`POST /v1/payment_links/${link.id}/payment_intents`, { body: {} }),
      () => there.call(`POST /v1/invoices/${draft.id}/issue`),
    ];
    await set('merchant', merchant.id);
    for (const attempt of tries) expect(await attempt()).toMatchObject({ status: 403, code: 'payments_paused' });
    expect(await create(live)).toMatchObject({ status: 200 });
    expect(await instances[1].app.get(QueryBus).execute(new GetPayLinkTerms(link.id))).toMatchObject({
      payments: { isPaused: true },
    });
    // The payment that was created before is carried on.
    expect(await select(id)).toMatchObject({ status: 200, body: { status: 'awaiting_payment' } });
    expect(await lift('merchant', merchant.id)).toBe(true);
    for (const attempt of tries) expect(await attempt()).toMatchObject({ status: 200 });
    expect(await lift('merchant', merchant.id)).toBe(false);
  });

  it('names a merchant that exists', async () => {
    await expect(set('merchant', 'mch_00000000000000000000000009')).rejects.toMatchObject({
      code: 'invalid_killswitch_subject',
    });
  });
});

it.each([
  ['network', 'base'],
  ['asset', 'USDC'],
])('the kill switch of the %s %s takes its token away from everybody, in its mode', async (scope, subject) => {
  const { id } = (await create()).body;
  await set(scope, subject, 'live');
  expect(await view(id)).toMatchObject({ offers: [{ tokenId: 'usdc-base', unavailable: null }] });
  await set(scope, subject);
  expect(await select(id)).toMatchObject({ status: 402, code: 'token_disabled' });
  expect(await view(id)).toMatchObject({ offers: [{ tokenId: 'usdc-base', unavailable: 'token_disabled' }] });
  expect(await create()).toMatchObject({ status: 200 });
  await lift(scope, subject);
  await lift(scope, subject, 'live');
  expect(await select(id)).toMatchObject({ status: 200 });
});

describe('an account that is closed', () => {
  it('can be read, makes nothing new, and carries on what is under way', async () => {
    const [{ id }, { id: other }] = [(await create()).body, (await create()).body];
    const draft = await merchant.done('POST /v1/invoices', { body: ORDER });
    const link = await merchant.done('POST /v1/payment_links', { body: { kind: 'fixed', ...ORDER } });
    expect(await select(id)).toMatchObject({ status: 200 });
    const { id: invoiceId } = await merchant.done(`POST /v1/invoices/${draft.id}/issue`);
    await execute(new CloseMerchant('asked for', { ...operator(), merchantId: merchant.id }));
    for (const key of Object.values(merchant.registered.keys))
      expect(await create(key)).toMatchObject({ status: 403, code: 'merchant_closed' });
    expect(await there.call(`POST /v1/payment_intents/${other}/cancel`)).toMatchObject({ code: 'merchant_closed' });
    expect(await there.call('POST /v1/settings', { body: {} })).toMatchObject({ code: 'merchant_closed' });
    expect(await there.call(`POST /v1/payment_links/${link.id}/deactivate`)).toMatchObject({ status: 403 });
    expect(await there.done(`GET /v1/payment_intents/${id}`)).toMatchObject({ status: 'awaiting_payment' });
    expect(await there.done('GET /v1/invoices')).toMatchObject({ data: [{ id: invoiceId }] });
    expect(await view(other)).toMatchObject({ offers: [{ tokenId: 'usdc-base', unavailable: null }] });
    expect(await instances[1].app.get(QueryBus).execute(new GetPayLinkTerms(link.id))).toMatchObject({
      payments: { isPaused: true },
    });
    // Customers and the service know no key: an open payment is still chosen for, and a new one is not made.
    const { access } = instances[1].parts.core;
    const methodTerms = await methodTermsNow(access, 'test', merchant.id);
    await instances[1].parts.payments.selection.select(other, 'usdc-base', walletId, methodTerms, customer());
    expect(await view(other)).toMatchObject({ payment: { status: 'awaiting_payment' } });
  });

  it('is refused after authentication, and makes no payment of an invoice', async () => {
    const draft = await merchant.done('POST /v1/invoices', { body: ORDER });
    await execute(new CloseMerchant('asked for', { ...operator(), merchantId: merchant.id }));
    const account = await accountNow(instances[0].parts.core.access, 'test', merchant.id);
    const settings = paymentSettingsOf(account, 'test', stage.clock.now());
    await expect(execute(new IssueInvoice(draft.id, settings, customer()))).rejects.toMatchObject({
      code: 'payments_paused',
    });
    const stranger = await there.call('POST /v1/payment_intents', { key: 'sk_test_none', body: ORDER });
    expect(stranger).toMatchObject({ status: 401 });
  });
});
