import { ApiStage } from '../../support/api-stage';
import type { StagedMerchant } from '../../support/staged-merchant';

const LIMIT_MS = 60_000;
const QUOTE_MS = 15 * 60_000;
const MONITORING_MS = 24 * 3_600_000;
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const CONTRACTS = {
  'usdc-base': '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
  'usdt-bnb': '0x337610d27c682E347C9cD60BD4b3b107C9d34dDd',
} as const;

let stage: ApiStage;
let merchant: StagedMerchant;
const wallets: Record<string, string> = {};

beforeAll(async () => {
  stage = await ApiStage.open({ PUBLIC_URL: 'https://pay.example' });
  merchant = await stage.register(await stage.startInstance());
  for (const [network_id, asset_symbol] of [
    ['base', 'USDC'],
    ['bnb', 'USDT'],
  ] as const) {
    const { id } = await merchant.registerWallet({ network_id });
    await merchant.verifyWallet(id);
    await merchant.done('PUT /v1/routes', { body: { routes: [{ asset_symbol, network_id, wallet_id: id }] } }, true);
    wallets[network_id] = id;
  }
}, LIMIT_MS);

afterAll(() => stage.close());

const select = (payment: string, token_id: string, wallet_id: string) =>
  merchant.done(`POST /v1/payment_intents/${payment}/select_method`, { body: { token_id, wallet_id } });

it('begins with nothing chosen, nothing received and nothing that expires', async () => {
  const before = stage.clock.now();
  const created = await merchant.createIntent({
    metadata: { order: '42' },
    success_url: 'https://shop.example/thanks',
  });
  expect(created).toStrictEqual({
    id: expect.stringMatching(/^pi_[0-9a-hjkmnp-tv-z]{26}$/) as string,
    object: 'payment_intent',
    mode: 'test',
    status: 'created',
    amount: '2500',
    currency: 'EUR',
    currency_decimals: 2,
    received_amount: '0',
    received_token_amount: null,
    surplus_token_amount: null,
    metadata: { order: '42' },
    description: null,
    created: expect.stringMatching(ISO) as string,
    expires_at: null,
    checkout_url: `https://pay.example/checkout/${created.id}`,
    success_url: 'https://shop.example/thanks',
    payment_method: null,
    remaining: null,
    transfers: [],
    review: null,
    hold: null,
    failure_reason: null,
    claims: [],
    restarted_from: null,
    payment_link: null,
    invoice: null,
    canceled_at: null,
    confirmed_at: null,
  });
  expect(Date.parse(created.created)).toBeGreaterThanOrEqual(before);
  expect(await merchant.done(`GET /v1/payment_intents/${created.id}`)).toStrictEqual(created);
});

it.each([
  ['usdc-base', 'USDC', 'base', 84_532, 6],
  ['usdt-bnb', 'USDT', 'bnb', 97, 18],
] as const)('locks a quote for 15 minutes in %s', async (token, asset, network, chainId, decimals) => {
  const before = stage.clock.now();
  const quoted = await select((await merchant.createIntent()).id, token, String(wallets[network]));
  const method = quoted.payment_method;
  expect(quoted).toMatchObject({
    status: 'awaiting_payment',
    received_amount: '0',
    expires_at: method.quote_expires_at,
  });
  expect(method).toStrictEqual({
    token_id: token,
    asset_symbol: asset,
    network_id: network,
    chain_id: chainId,
    wallet_id: wallets[network],
    address: merchant.owner.address,
    token_contract: CONTRACTS[token],
    token_decimals: decimals,
    token_amount: expect.stringMatching(/^\d+\.\d{6,18}$/) as string,
    token_amount_base_units: expect.stringMatching(/^[1-9]\d*$/) as string,
    pay_uri: `ethereum:${CONTRACTS[token]}@${chainId}/transfer?address=${merchant.owner.address}&uint256=${method.token_amount_base_units}`,
    rate: expect.stringMatching(/^\d+(\.\d+)?$/) as string,
    rate_sources: expect.any(Array) as string[],
    quoted_at: expect.stringMatching(ISO) as string,
    quote_expires_at: expect.stringMatching(ISO) as string,
    reserved_until: expect.stringMatching(ISO) as string,
  });
  const quotedAt = Date.parse(method.quoted_at);
  expect(quotedAt).toBeGreaterThanOrEqual(before);
  expect(Date.parse(method.quote_expires_at)).toBe(quotedAt + QUOTE_MS);
  expect(Date.parse(method.reserved_until)).toBe(quotedAt + QUOTE_MS + MONITORING_MS);
  expect(new Set(method.rate_sources).size).toBeGreaterThanOrEqual(2);
  const [whole, fraction] = method.token_amount.split('.') as [string, string];
  expect(BigInt(whole + fraction.padEnd(decimals, '0'))).toBe(BigInt(method.token_amount_base_units));
});

it('selects a method once, cancels from the two states that can be, and never from another', async () => {
  const first = await merchant.createIntent();
  await select(first.id, 'usdc-base', String(wallets.base));
  const body = { token_id: 'usdc-base', wallet_id: wallets.base };
  expect(await merchant.call(`POST /v1/payment_intents/${first.id}/select_method`, { body })).toMatchObject({
    status: 409,
    code: 'invalid_state_transition',
  });
  const second = await merchant.createIntent();
  for (const { id } of [first, second]) {
    const canceled = await merchant.done(`POST /v1/payment_intents/${id}/cancel`);
    expect(canceled).toMatchObject({ id, status: 'canceled', canceled_at: expect.stringMatching(ISO) as string });
    for (const call of ['cancel', 'select_method'])
      expect(
        await merchant.call(`POST /v1/payment_intents/${id}/${call}`, call === 'cancel' ? {} : { body }),
      ).toMatchObject({ status: 409, code: 'invalid_state_transition' });
  }
});

it('takes no body to cancel', async () => {
  const { id } = await merchant.createIntent();
  const refused = await merchant.call(`POST /v1/payment_intents/${id}/cancel`, { body: { reason: 'mistake' } });
  expect([refused.status, refused.code, refused.body.error.param]).toEqual([400, 'parameter_invalid', 'reason']);
  expect(await merchant.call(`POST /v1/payment_intents/${id}/cancel`, { body: {} })).toMatchObject({ status: 200 });
});

it('answers an unknown payment with payment_not_found, whatever is asked of it', async () => {
  const unknown = 'pi_00000000000000000000000000';
  const asked: readonly (readonly [string, object?])[] = [
    [`GET /v1/payment_intents/${unknown}`],
    [`GET /v1/payment_intents/${unknown}/events`],
    [`POST /v1/payment_intents/${unknown}/cancel`],
    [`POST /v1/payment_intents/${unknown}/accept`],
    [`POST /v1/payment_intents/${unknown}/resolve`, { resolution: 'accepted', note: 'x' }],
    [`POST /v1/payment_intents/${unknown}/select_method`, { token_id: 'usdc-base', wallet_id: 'wal_x' }],
  ];
  for (const [line, body] of asked)
    expect([line, await merchant.call(line, body && { body })]).toMatchObject([
      line,
      { status: 404, code: 'payment_not_found' },
    ]);
});
