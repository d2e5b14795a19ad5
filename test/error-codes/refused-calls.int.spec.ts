import { ApiStage } from '../support/api-stage';
import { developmentWallet } from '../support/customer';
import type { StagedMerchant } from '../support/staged-merchant';

const LIMIT_MS = 60_000;
const UNKNOWN_WALLET = 'wal_00000000000000000000000000';

/** Ids by name, for `{open}` and the like in a call. */
type Names = Readonly<Record<string, string>>;
type Case = readonly [code: string, status: number, line: string, body?: object, highRisk?: true];

const select = (token_id: string, wallet_id: string): readonly [string, object] => [
  'POST /v1/payment_intents/{open}/select_method',
  { token_id, wallet_id },
];
const route = (asset_symbol: string, network_id: string, wallet_id: string) => ({
  asset_symbol,
  network_id,
  wallet_id,
});
const setRoutes = (...routes: readonly object[]): readonly [string, object, true] => [
  'PUT /v1/routes',
  { routes },
  true,
];
const wallet = (change: object): readonly [string, object, true] => [
  'POST /v1/wallets',
  { network_id: 'base', address: '{address}', label: 'Till', controls_private_key: true, ...change },
  true,
];

const CASES: readonly Case[] = [
  ['wallet_not_owned', 403, ...select('usdc-base', '{foreign}')],
  ['wallet_not_found', 404, ...select('usdc-base', UNKNOWN_WALLET)],
  ['wallet_not_found', 404, ...select('usdc-base', '{live}')],
  ['wallet_not_verified', 402, ...select('usdt-bnb', '{pending}')],
  ['network_mismatch', 402, ...select('usdc-base', '{pending}')],
  ['no_route_configured', 402, ...select('usdc-base', '{unrouted}')],
  ['unsupported_network', 402, ...select('usdt-tron', '{verified}')],
  ['payment_not_found', 404, 'POST /v1/payment_intents/{foreignPayment}/cancel'],
  ['amount_too_large', 400, 'POST /v1/payment_intents', { amount: '100000001', currency: 'USD' }],
  [
    'invalid_currency_decimals',
    400,
    'POST /v1/payment_intents',
    { amount: '1', currency: 'USD', currency_decimals: 2 },
  ],
  ['unknown_token', 400, ...setRoutes(route('DAI', 'base', '{verified}'))],
  ['unknown_token', 400, ...setRoutes(route('USDC', 'tron', '{verified}'))],
  ['unsupported_network', 402, ...setRoutes(route('USDT', 'ethereum', '{verified}'))],
  ['route_conflict', 409, ...setRoutes(route('USDC', 'base', '{verified}'), route('USDC', 'base', '{unrouted}'))],
  ['route_wallet_missing', 400, ...setRoutes(route('USDC', 'base', UNKNOWN_WALLET))],
  ['wallet_merchant_mismatch', 400, ...setRoutes(route('USDC', 'base', '{foreign}'))],
  ['network_mismatch', 402, ...setRoutes(route('USDC', 'base', '{pending}'))],
  ['wallet_not_verified', 402, ...setRoutes(route('USDT', 'bnb', '{pending}'))],
  ['parameter_invalid', 400, 'PUT /v1/routes', { routes: [[]] }],
  ['duplicate_wallet', 409, ...wallet({})],
  ['invalid_address', 400, ...wallet({ address: '{badChecksum}' })],
  ['exchange_hosted_wallet', 400, ...wallet({ controls_private_key: false })],
  ['wallet_not_found', 404, 'GET /v1/wallets/{foreign}'],
  ['invalid_challenge_field', 400, 'POST /v1/wallets/{pending}/verify', { method: 'signed_message' }, true],
  ['invalid_state_transition', 409, 'POST /v1/wallets/{verified}/challenge', { method: 'signed_message' }],
  ['unknown_endpoint', 404, 'GET /v1/webhook_endpoints/we_00000000000000000000000000'],
  ['resource_missing', 404, 'GET /v1/api_keys/key_00000000000000000000000000'],
  ['invalid_tolerance', 400, 'POST /v1/settings', { payment_tolerance_bps: 101 }],
  ['invalid_bps', 400, 'POST /v1/settings', { payment_tolerance_bps: 0.5 }],
  ['mfa_method_unsupported', 401, 'POST /v1/mfa/proofs', { method: 'sms', code: '1', action: 'x' }],
  ['invalid_range', 400, 'GET /v1/payment_intents?created_from=2026-11-02T00:00:00Z&created_to=2026-11-01T00:00:00Z'],
  ['invalid_timestamp', 400, 'GET /v1/payment_intents?created_from=yesterday'],
  ['invalid_request', 400, 'POST /v1/webhook_endpoints', { url: 'http://127.0.0.1:9/', enabled_events: ['*'] }, true],
];

describe('calls that are refused for what stands', () => {
  let stage: ApiStage;
  let merchant: StagedMerchant;
  let names: Names;

  beforeAll(async () => {
    stage = await ApiStage.open();
    const instance = await stage.startInstance();
    merchant = await stage.register(instance);
    const other = await stage.register(instance);
    const second = developmentWallet(6);
    const verified = await merchant.registerWallet();
    await merchant.verifyWallet(verified.id);
    const unrouted = await merchant.registerWallet({ address: second.address });
    await merchant.verifyWallet(unrouted.id, second);
    await merchant.routeTo(verified.id);
    const live = { key: merchant.registered.keys.live };
    names = {
      verified: verified.id,
      unrouted: unrouted.id,
      pending: (await merchant.registerWallet({ network_id: 'bnb' })).id,
      live: (await merchant.registerWallet({}, live)).id,
      foreign: (await other.registerWallet()).id,
      open: (await merchant.createIntent()).id,
      foreignPayment: (await other.createIntent()).id,
      address: merchant.owner.address,
      badChecksum: `0x${merchant.owner.address.slice(2).toUpperCase()}`.replace(/[A-F]/, letter =>
        letter.toLowerCase(),
      ),
    };
    for (let count = 0; count < 16; count++) await merchant.createEndpoint();
  }, LIMIT_MS);

  afterAll(() => stage.close());

  const named = (text: string): string => text.replace(/\{(\w+)\}/g, (name, key: string) => names[key] ?? name);

  it.each(CASES.map(given => [given.slice(0, 3).join(' '), given] as const))(
    '%s is refused and writes nothing',
    async (_, given) => {
      const [code, status, line, body, highRisk] = given;
      const before = await stage.core.store.lastPosition();
      const headers: Record<string, string> = highRisk ? { 'mfa-code': merchant.nextCode() } : {};
      const filled = body && (JSON.parse(named(JSON.stringify(body))) as object);
      const refused = await merchant.call(named(line), { headers, ...(filled && { body: filled }) });
      expect([refused.status, refused.code]).toEqual([status, code]);
      expect(await stage.core.store.lastPosition()).toBe(before);
    },
  );

  it('answers token_not_enabled for one that the settings leave out', async () => {
    await merchant.done('POST /v1/settings', { body: { enabled_tokens: ['usdt-bnb'] } });
    const body = { token_id: 'usdc-base', wallet_id: names.verified };
    const refused = await merchant.call(`POST /v1/payment_intents/${names.open}/select_method`, { body });
    expect(refused).toMatchObject({ status: 400, code: 'token_not_enabled' });
    await merchant.done('POST /v1/settings', { body: { enabled_tokens: ['usdt-bnb', 'usdc-base'] } });
  });

  it('answers route_cooling_down to a second change within a day', async () => {
    await merchant.routeTo(String(names.unrouted));
    const body = { routes: [route('USDC', 'base', String(names.verified))] };
    const refused = await merchant.call('PUT /v1/routes', { body, headers: { 'mfa-code': merchant.nextCode() } });
    expect(refused).toMatchObject({ status: 409, code: 'route_cooling_down' });
  });

  it('answers currency_not_supported where a mode has no rates', async () => {
    const body = { amount: '2500', currency: 'EUR' };
    const refused = await merchant.call('POST /v1/payment_intents', { body, key: merchant.registered.keys.live });
    expect(refused).toMatchObject({ status: 400, code: 'currency_not_supported' });
  });
});
