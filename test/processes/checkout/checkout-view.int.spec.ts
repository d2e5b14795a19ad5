import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { checkoutContext } from '../../../src/modules/checkout/checkout-context';
import { checkoutVersion } from '../../../src/modules/checkout/queries/checkout-version';
import type { CheckoutView } from '../../../src/modules/checkout/queries/checkout-view';
import { GetCheckoutNaming } from '../../../src/modules/checkout/queries/get-checkout-naming.query';
import { GetCheckoutPayment } from '../../../src/modules/checkout/queries/get-checkout-payment.query';
import { GetCheckoutTerms } from '../../../src/modules/checkout/queries/get-checkout-terms.query';
import { SelectMethod } from '../../../src/modules/payment-intents/commands/select-method.command';
import { AttributeTransaction } from '../../../src/modules/transfers/commands/attribute-transaction.command';
import { ApiStage, type ApiInstance } from '../../support/api-stage';
import type { StagedMerchant } from '../../support/staged-merchant';

const LIMIT_MS = 60_000;
const UNKNOWN = 'pi_00000000000000000000000000';

let stage: ApiStage;
let instance: ApiInstance;
let merchant: StagedMerchant;
let base: string;
let commands = 0;

beforeAll(async () => {
  stage = await ApiStage.open({ PUBLIC_URL: 'https://pay.example' });
  instance = await stage.startInstance();
  merchant = await stage.register(instance);
  ({ id: base } = await merchant.registerWallet());
  await merchant.verifyWallet(base);
  await merchant.routeTo(base);
}, LIMIT_MS);
afterAll(() => stage.close());

const ask = (id: string) => instance.app.get(QueryBus).execute(new GetCheckoutPayment(id));

async function view(id: string): Promise<CheckoutView> {
  const found = await ask(id);
  if (found === null) throw new Error(`${id} has no view`);
  return found;
}

/** The terms of a customer's form, and the context of its command. */
async function customer(id: string) {
  const terms = await instance.app.get(QueryBus).execute(new GetCheckoutTerms(id));
  if (terms === null) throw new Error(`${id} has no terms`);
  const { nowMs: now } = terms;
  const commandId = `page-${(commands += 1)}`;
  const request = { commandId, requestId: 'req_1', ip: '203.0.113.9', now, startedAt: now };
  return { terms, context: checkoutContext(terms, request) };
}

async function choose(id: string, tokenId: string, wallet: string): Promise<void> {
  const { terms, context } = await customer(id);
  await instance.app.get(CommandBus).execute(new SelectMethod(id, tokenId, wallet, terms.methods, context));
}

async function select(id: string): Promise<CheckoutView> {
  await choose(id, 'usdc-base', base);
  return view(id);
}

it.each([UNKNOWN, 'pi_', '', 'wal_00000000000000000000000000', '../pi'])('finds nothing under %j', async id => {
  expect(await ask(id)).toBeNull();
});

it('shows a payment without its metadata, and each routed token with its price', async () => {
  const { id } = await merchant.createIntent({ metadata: { order: 'secret 42' }, description: 'Two tickets' });
  const shown = await view(id);
  const { metadata: _, ...resource } = await merchant.done(`GET /v1/payment_intents/${id}`);
  expect(shown).toStrictEqual({
    payment: resource,
    mode: 'test',
    priceTokenAmount: null,
    nowMs: expect.any(Number) as number,
    shop: { name: 'Corner Shop', color: null, logo: null },
    offers: [
      {
        tokenId: 'usdc-base',
        asset: 'USDC',
        network: 'base',
        networkName: 'Base',
        walletId: base,
        tokenAmount: expect.stringMatching(/^\d\d\.\d{6}$/) as string,
        unavailable: null,
      },
    ],
    mayRestart: false,
    restartedAs: null,
    successUrl: null,
    isInferred: false,
    isHoldOpen: false,
    isRejected: false,
  });
  expect(JSON.stringify(shown)).not.toContain('secret 42');
});

it('lets the customer select a method, as the actor checkout', async () => {
  const { id } = await merchant.createIntent();
  const shown = await select(id);
  expect(shown).toMatchObject({ payment: { status: 'awaiting_payment' }, offers: [] });
  const { data } = await merchant.done(`GET /v1/payment_intents/${id}/events`);
  expect(data.at(-1)).toMatchObject({ type: 'method_selected', actor: 'checkout' });
  const [, selected] = await stage.core.store.readStream(`test.payment_intent-${id}`);
  expect(selected?.metadata).toMatchObject({
    actor: { role: 'checkout', type: 'system', id: 'checkout' },
    merchant_id: merchant.id,
    request_id: 'req_1',
    correlation_id: 'req_1',
    ip: '203.0.113.9',
  });
});

it('tells the price below the amount, so that the digits of this payment alone can be told', async () => {
  const { id } = await merchant.createIntent();
  const { priceTokenAmount, payment } = await select(id);
  const amount = payment.payment_method?.token_amount ?? '';
  expect(priceTokenAmount).toMatch(/^\d\d\.\d{6}$/);
  expect(priceTokenAmount?.length).toBe(amount.length);
  const [price, due] = [priceTokenAmount ?? '', amount].map(text => BigInt(text.replace('.', '')));
  expect(due).toBeGreaterThan(price as bigint);
});

it('shows the brand, and leads back to the page that the account names', async () => {
  const { id } = await merchant.createIntent();
  const body = {
    brand: { name: 'Corner & Sons', color: '#0B6B4D' },
    default_success_url: 'https://shop.example/thanks',
  };
  await merchant.done('POST /v1/settings', { body });
  expect(await view(id)).toMatchObject({
    shop: { name: 'Corner & Sons', color: '#0b6b4d', logo: null },
    successUrl: 'https://shop.example/thanks',
  });
  const { id: own } = await merchant.createIntent({ success_url: 'https://shop.example/own' });
  expect((await view(own)).successUrl).toBe('https://shop.example/own');
});

it('shows a routed token that cannot be selected now, with the reason', async () => {
  const { id: payment } = await merchant.createIntent();
  const { id: bnb } = await merchant.registerWallet({ network_id: 'bnb' });
  await merchant.verifyWallet(bnb);
  const routes = [{ asset_symbol: 'USDT', network_id: 'bnb', wallet_id: bnb }];
  await merchant.done('PUT /v1/routes', { body: { routes } }, true);
  expect((await view(payment)).offers).toMatchObject([
    { tokenId: 'usdt-bnb', walletId: bnb, unavailable: null },
    { tokenId: 'usdc-base', walletId: base, unavailable: null },
  ]);
  await merchant.done('POST /v1/settings', { body: { enabled_tokens: ['usdc-base'] } });
  expect((await view(payment)).offers).toMatchObject([
    { tokenId: 'usdt-bnb', tokenAmount: null, unavailable: 'token_not_enabled' },
    { tokenId: 'usdc-base', unavailable: null },
  ]);
  await expect(choose(payment, 'usdt-bnb', bnb)).rejects.toMatchObject({ code: 'token_not_enabled' });
});

it('has another version after each change of what the page shows, and the same one as time passes', async () => {
  const { id } = await merchant.createIntent();
  const before = await view(id);
  expect(checkoutVersion(before)).toMatch(/^[\w-]{16}$/);
  stage.clock.aheadMs += 1_000;
  const later = await view(id);
  expect(later.nowMs).toBeGreaterThan(before.nowMs);
  expect(checkoutVersion(later)).toBe(checkoutVersion(before));
  const quoted = await select(id);
  const { payment } = quoted;
  const versions = [
    before,
    quoted,
    { ...quoted, isHoldOpen: true },
    { ...quoted, restartedAs: UNKNOWN },
    { ...quoted, payment: { ...payment, claims: [{ id: 'tc_1' }] } } as unknown as CheckoutView,
  ].map(checkoutVersion);
  expect(new Set(versions).size).toBe(versions.length);
});

describe('a naming at checkout', () => {
  const HASH = `0x${'5c'.repeat(32)}`;

  const name = async (id: string, text: string) => {
    const { context } = await customer(id);
    const command = new AttributeTransaction(id, { text, logIndex: null }, 'checkout', context);
    return instance.app.get(CommandBus).execute(command);
  };

  const look = async (id: string, namingId: string) => {
    const named = await instance.app.get(QueryBus).execute(new GetCheckoutNaming(id, namingId));
    expect(named?.view.payment.id).toBe(named ? id : undefined);
    return named && named.naming;
  };

  it('is filed, and answered with a reference that can be looked at again', async () => {
    const { id } = await merchant.createIntent();
    const { id: other } = await merchant.createIntent();
    await select(id);
    const filed = await name(id, '5550001234');
    if (filed.kind !== 'filed') throw new Error(filed.kind);
    const standing = {
      id: filed.namingId,
      reference: '5550001234',
      kind: 'exchange_transfer',
      status: 'in_review',
      created: filed.filedAt,
    };
    expect(await look(id, filed.namingId)).toStrictEqual(standing);
    expect((await view(id)).payment.claims).toStrictEqual([standing]);
    expect(await look(other, filed.namingId)).toBeNull();
    expect(await look(id, 'tc_00000000000000000000000000')).toBeNull();
    expect(await look(id, id)).toBeNull();
    expect(await look(UNKNOWN, filed.namingId)).toBeNull();
  });

  it('waits for a transaction that no block holds yet', async () => {
    const { id } = await merchant.createIntent();
    await select(id);
    const filed = await name(id, HASH);
    if (filed.kind !== 'filed') throw new Error(filed.kind);
    expect(await look(id, filed.namingId)).toMatchObject({ kind: 'transaction', status: 'pending', reference: HASH });
  });
});
