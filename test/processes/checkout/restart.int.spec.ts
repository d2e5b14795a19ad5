import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { operatorContext } from '../../../src/cli/operator-context';
import { parseIsoTime } from '../../../src/kernel/clock';
import { merchants } from '../../../src/modules/merchants/merchant.decider';
import { checkoutContext } from '../../../src/modules/checkout/checkout-context';
import type { CheckoutView } from '../../../src/modules/checkout/queries/checkout-view';
import { GetCheckoutPayment } from '../../../src/modules/checkout/queries/get-checkout-payment.query';
import { GetCheckoutTerms } from '../../../src/modules/checkout/queries/get-checkout-terms.query';
import { RestartPayment } from '../../../src/modules/payment-intents/commands/restart-payment.command';
import { paymentIntents } from '../../../src/modules/payment-intents/payment-intent.decider';
import { ApiStage, type ApiInstance } from '../../support/api-stage';
import type { StagedMerchant } from '../../support/staged-merchant';

const LIMIT_MS = 60_000;
const TERMS = {
  amount: '3100',
  currency: 'EUR',
  metadata: { order: '42' },
  description: 'Two tickets',
  success_url: 'https://shop.example/thanks',
};

let stage: ApiStage;
let instance: ApiInstance;
let merchant: StagedMerchant;
let wallet: string;
let commands = 0;

beforeAll(async () => {
  stage = await ApiStage.open();
  instance = await stage.startInstance();
  merchant = await stage.register(instance);
  ({ id: wallet } = await merchant.registerWallet());
  await merchant.verifyWallet(wallet);
  await merchant.routeTo(wallet);
}, LIMIT_MS);
beforeEach(() => allow(true));
afterAll(() => stage.close());

const allow = (checkout_restart: boolean) => merchant.done('POST /v1/settings', { body: { checkout_restart } });

async function view(id: string): Promise<CheckoutView> {
  const found = await instance.app.get(QueryBus).execute(new GetCheckoutPayment(id));
  if (found === null) throw new Error(`${id} has no view`);
  return found;
}

function customer(nowMs: number, of = merchant.id) {
  const request = { commandId: `page-${(commands += 1)}`, requestId: 'req_1', ip: null, now: nowMs };
  return checkoutContext({ mode: 'test', merchantId: of }, request);
}

async function restart(id: string, of = merchant.id): Promise<string> {
  const terms = await instance.app.get(QueryBus).execute(new GetCheckoutTerms(id));
  if (terms === null) throw new Error(`${id} has no terms`);
  return instance.app.get(CommandBus).execute(new RestartPayment(id, terms, customer(terms.nowMs, of)));
}

async function quoted(changes: object = {}): Promise<string> {
  const { id } = await merchant.createIntent({ ...TERMS, ...changes });
  const body = { token_id: 'usdc-base', wallet_id: wallet };
  await merchant.done(`POST /v1/payment_intents/${id}/select_method`, { body });
  return id;
}

/** The sweeper ends the quote, as the payment itself allows it after its last moment. */
async function expired(changes: object = {}): Promise<string> {
  const id = await quoted(changes);
  const { payment } = await view(id);
  const now = parseIsoTime(payment.expires_at ?? '') + 1;
  const actor = { role: 'sweeper', type: 'system', id: 'expiry' } as const;
  const context = { ...customer(now), actor };
  await instance.parts.core.writes.execute(paymentIntents, id, { type: 'expire' }, context);
  return id;
}

it('starts an expired payment anew on the same terms, and says so on both', async () => {
  const former = await expired();
  expect(await view(former)).toMatchObject({ payment: { status: 'expired' }, mayRestart: true, restartedAs: null });
  const id = await restart(former);
  expect(await view(former)).toMatchObject({ payment: { status: 'expired' }, mayRestart: false, restartedAs: id });
  const { payment, offers } = await view(id);
  const { metadata: _, ...terms } = TERMS;
  expect(payment).toMatchObject({ ...terms, status: 'created', restarted_from: former });
  expect(offers).toMatchObject([{ tokenId: 'usdc-base', unavailable: null }]);
  expect(await merchant.done(`GET /v1/payment_intents/${id}`)).toMatchObject({ ...TERMS, restarted_from: former });
  const { data } = await merchant.done(`GET /v1/payment_intents/${id}/events`);
  expect(data).toMatchObject([{ type: 'created', actor: 'checkout' }]);
});

it('makes one new payment of two clicks, of two tabs and of clicks at once', async () => {
  const former = await expired();
  const answers = await Promise.all([restart(former), restart(former), restart(former)]);
  answers.push(await restart(former));
  expect(new Set(answers).size).toBe(1);
  const events = await stage.core.store.readStream(`test.payment_intent-${answers[0]}`);
  expect(events.map(({ type }) => type)).toStrictEqual(['PaymentIntentCreated']);
  await allow(false);
  expect(await restart(former)).toBe(answers[0]);
});

it('is the merchant’s to allow: not by default, and not once it is taken back', async () => {
  const other = await stage.register(instance);
  expect(await other.done('GET /v1/settings')).toMatchObject({ checkout_restart: false });
  const former = await expired();
  await allow(false);
  expect(await view(former)).toMatchObject({ mayRestart: false, restartedAs: null });
  await expect(restart(former)).rejects.toMatchObject({ code: 'forbidden_actor' });
});

it('is refused while the payment can be paid, and after it was canceled', async () => {
  const id = await quoted();
  await expect(restart(id)).rejects.toMatchObject({ code: 'invalid_state_transition' });
  await merchant.done(`POST /v1/payment_intents/${id}/cancel`);
  expect(await view(id)).toMatchObject({ mayRestart: false });
  await expect(restart(id)).rejects.toMatchObject({ code: 'payment_canceled' });
});

it('starts the new payment anew in its turn, and no payment of another merchant', async () => {
  const former = await expired();
  const second = await restart(former);
  await expect(restart(second)).rejects.toMatchObject({ code: 'invalid_state_transition' });
  const other = await stage.register(instance);
  await expect(restart(former, other.id)).rejects.toMatchObject({ code: 'payment_not_found' });
});

it('is told apart in the settings of each mode', async () => {
  const { live } = merchant.registered.keys;
  expect(await merchant.done('GET /v1/settings', { key: live })).toMatchObject({ checkout_restart: false });
  expect(await merchant.done('GET /v1/settings')).toMatchObject({ checkout_restart: true });
});

it('starts none anew for an account that is disabled, until it is enabled again', async () => {
  const former = await expired();
  const decide = (type: 'disable' | 'enable') => {
    const context = { ...operatorContext({ ...stage.core, user: 'alice' }), merchantId: merchant.id };
    return stage.core.writes.execute(merchants, merchant.id, { type, reason: 'a complaint' }, context);
  };
  await decide('disable');
  expect(await view(former)).toMatchObject({ mayRestart: false });
  await expect(restart(former)).rejects.toMatchObject({ code: 'payments_paused' });
  await decide('enable');
  expect(await restart(former)).toMatch(/^pi_/);
});
