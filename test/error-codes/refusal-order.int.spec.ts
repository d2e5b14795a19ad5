import { ApiStage } from '../support/api-stage';
import { developmentWallet } from '../support/customer';
import type { StagedMerchant } from '../support/staged-merchant';

const LIMIT_MS = 60_000;
const USED_KEY = 'used for another request';
const UNKNOWN_PAYMENT = 'pi_00000000000000000000000000';
const UNKNOWN_WALLET = 'wal_00000000000000000000000000';
const UNKNOWN_ENDPOINT = 'we_00000000000000000000000000';
const EXCHANGE = '0x00000000000000000000000000000000E8c4a6E5';
const USDC_CONTRACT = '0x036CbD53842c5426634e7929541eC2318f3dCF7e';

type Json = Readonly<Record<string, unknown>>;
/** The refusal names the body's first fault, whatever else is wrong. */
type Row = readonly [code: string, param: string | null, body: Json];
type Table = {
  readonly line: string;
  /**
   * Refused before the Idempotency-Key is looked up, which is of another request, and before a one-time code is asked
   * for: none is sent.
   */
  readonly validation: readonly Row[];
  readonly isHighRisk: boolean;
  /** Requests that the state refuses. A high-risk call sends a code with these, and without one is asked for it. */
  readonly state: readonly Row[];
};

const route = (asset_symbol: string, network_id: string, wallet_id: string) => ({
  asset_symbol,
  network_id,
  wallet_id,
});

const TABLES: readonly Table[] = [
  {
    line: 'POST /v1/payment_intents',
    validation: [
      ['parameter_invalid', 'colour', { colour: 'red', amount: '0', currency: 'eur', currency_decimals: 2 }],
      ['parameter_missing', 'amount', { currency: 'eur', currency_decimals: 2 }],
      ['invalid_amount', 'amount', { amount: '25.00', currency: 'eur', currency_decimals: 2, metadata: 1 }],
      ['amount_too_small', 'amount', { amount: '0', currency: 'eur', currency_decimals: 2, metadata: 1 }],
      ['parameter_missing', 'currency', { amount: '2500', currency_decimals: 2, metadata: 1 }],
      ['invalid_currency', 'currency', { amount: '2500', currency: 'eur', currency_decimals: 2, metadata: 1 }],
      ['invalid_currency_decimals', 'currency_decimals', { amount: '1', currency: 'XXX', currency_decimals: 2, metadata: 1 }],
      ['invalid_metadata_value', 'metadata', { amount: '1', currency: 'XXX', metadata: 1, success_url: 1 }],
      ['parameter_invalid', 'success_url', { amount: '1', currency: 'XXX', metadata: { n: 1 }, success_url: 1 }],
      ['invalid_metadata_key', 'metadata', { amount: '1', currency: 'XXX', metadata: { é: 1 }, success_url: 'x' }],
      ['invalid_metadata_value', 'metadata.n', { amount: '1', currency: 'XXX', metadata: { n: 1 }, success_url: 'x' }],
      ['metadata_too_large', 'metadata.n', { amount: '1', currency: 'XXX', metadata: { n: 'n'.repeat(501) }, success_url: 'x' }],
      ['parameter_invalid', 'success_url', { amount: '1', currency: 'XXX', success_url: 'x' }],
    ],
    isHighRisk: false,
    state: [
      ['currency_not_supported', 'currency', { amount: '1', currency: 'XXX' }],
      ['amount_too_large', 'amount', { amount: '9007199254740991', currency: 'EUR' }],
      ['amount_too_small', 'amount', { amount: '1', currency: 'EUR' }],
    ],
  },
  {
    line: `POST /v1/payment_intents/${UNKNOWN_PAYMENT}/select_method`,
    validation: [
      ['parameter_invalid', 'colour', { colour: 'red', token_id: 'doge' }],
      ['parameter_missing', 'token_id', {}],
      ['unknown_token', 'token_id', { token_id: 'doge' }],
      ['unknown_token', 'token_id', { token_id: 'USDT-TRON' }],
      ['asset_token_mismatch', 'token_id', { token_id: 'USDC' }],
      ['asset_token_mismatch', 'token_id', { token_id: 'USDT' }],
      ['parameter_missing', 'wallet_id', { token_id: 'usdt-tron' }],
    ],
    isHighRisk: false,
    state: [['payment_not_found', null, { token_id: 'usdt-tron', wallet_id: UNKNOWN_WALLET }]],
  },
  {
    line: 'POST /v1/payment_intents/{canceled}/select_method',
    validation: [],
    isHighRisk: false,
    state: [['invalid_state_transition', null, { token_id: 'usdt-tron', wallet_id: UNKNOWN_WALLET }]],
  },
  {
    line: 'POST /v1/payment_intents/{open}/select_method',
    validation: [],
    isHighRisk: false,
    state: [
      // Tron is neither enabled nor watched here, bnb enabled and watched.
      ['token_not_enabled', 'token_id', { token_id: 'usdt-tron', wallet_id: UNKNOWN_WALLET }],
      ['wallet_not_found', 'wallet_id', { token_id: 'usdt-bnb', wallet_id: UNKNOWN_WALLET }],
      ['wallet_not_found', 'wallet_id', { token_id: 'usdt-bnb', wallet_id: '{live}' }],
      ['wallet_not_owned', 'wallet_id', { token_id: 'usdt-bnb', wallet_id: '{foreign}' }],
      ['network_mismatch', 'wallet_id', { token_id: 'usdt-bnb', wallet_id: '{pending}' }],
      ['wallet_not_verified', 'wallet_id', { token_id: 'usdc-base', wallet_id: '{pending}' }],
      ['no_route_configured', 'wallet_id', { token_id: 'usdc-base', wallet_id: '{verified}' }],
    ],
  },
  {
    line: 'POST /v1/wallets',
    validation: [
      ['parameter_invalid', 'colour', { colour: 'red', network_id: 7 }],
      ['parameter_missing', 'network_id', { address: 7, label: '', controls_private_key: 'yes' }],
      ['parameter_invalid', 'network_id', { network_id: 7, address: 7, label: '', controls_private_key: 'yes' }],
      ['parameter_missing', 'address', { network_id: 'base', label: '', controls_private_key: 'yes' }],
      ['invalid_address', 'address', { network_id: 'base', address: 7, label: '', controls_private_key: 'yes' }],
      ['parameter_invalid', 'label', { network_id: 'base', address: '0x', label: '', controls_private_key: 'yes' }],
      ['parameter_missing', 'controls_private_key', { network_id: 'base', address: '0x', label: ' ' }],
      ['parameter_invalid', 'controls_private_key', { network_id: 'base', address: '0x', label: ' ', controls_private_key: 'yes' }],
      ['parameter_invalid', 'label', { network_id: 'base', address: '0x', label: ' ', controls_private_key: false }],
      ['invalid_address', 'address', { network_id: 'base', address: '0x', label: 'Till', controls_private_key: false }],
      ['invalid_address', 'address', { network_id: 'base', address: USDC_CONTRACT, label: 'Till', controls_private_key: false }],
      ['exchange_hosted_wallet', 'controls_private_key', { network_id: 'base', address: EXCHANGE, label: 'Till', controls_private_key: false }],
    ],
    isHighRisk: true,
    state: [
      ['unsupported_network', 'network_id', { network_id: 'solana', address: '0x', label: 'Till', controls_private_key: false }],
      ['wallet_exchange_hosted', 'address', { network_id: 'base', address: EXCHANGE, label: 'Till', controls_private_key: true }],
      ['duplicate_wallet', 'address', { network_id: 'base', address: '{ownAddress}', label: 'Till', controls_private_key: true }],
    ],
  },
  {
    line: 'POST /v1/wallets/{verified}/verify',
    validation: [
      ['parameter_invalid', 'colour', { colour: 'red' }],
      ['parameter_missing', 'method', { signature: 7 }],
      ['parameter_invalid', 'method', { method: 'by_heart', signature: 7 }],
      ['invalid_challenge_field', 'signature', { method: 'signed_message', signature: 7, challenge: 7 }],
      ['invalid_challenge_field', 'challenge', { method: 'signed_message', challenge: 7 }],
      ['invalid_challenge_field', 'signature', { method: 'signed_message' }],
    ],
    isHighRisk: true,
    state: [['invalid_state_transition', null, { method: 'signed_message', signature: '0x00', challenge: 'edited' }]],
  },
  {
    line: 'POST /v1/wallets/{pending}/verify',
    validation: [],
    isHighRisk: true,
    state: [
      // One of two faults: the empty question comes before the wrong answer.
      ['invalid_challenge_field', 'challenge', { method: 'signed_message', signature: '0x00', challenge: 'edited' }],
      ['invalid_challenge_field', 'challenge', { method: 'micro_deposit' }],
    ],
  },
  {
    line: `POST /v1/wallets/${UNKNOWN_WALLET}/verify`,
    validation: [],
    isHighRisk: true,
    state: [['wallet_not_found', null, { method: 'signed_message', signature: '0x00', challenge: 'edited' }]],
  },
  {
    line: 'PUT /v1/routes',
    validation: [
      ['parameter_invalid', 'colour', { colour: 'red' }],
      ['parameter_missing', 'routes', {}],
      ['parameter_invalid', 'routes', { routes: [] }],
      ['parameter_missing', 'routes[0].wallet_id', { routes: [{ asset_symbol: 'DAI', network_id: 'base' }] }],
      ['asset_token_mismatch', 'routes[1].asset_symbol', { routes: [route('USDC', 'solana', UNKNOWN_WALLET), route('DAI', 'base', UNKNOWN_WALLET)] }],
    ],
    isHighRisk: true,
    state: [
      ['unsupported_network', 'routes[0].network_id', { routes: [route('DAI', 'solana', UNKNOWN_WALLET), route('USDC', 'base', UNKNOWN_WALLET)] }],
      ['route_conflict', 'routes[1]', { routes: [route('USDT', 'bnb', '{routed}'), route('USDT', 'bnb', UNKNOWN_WALLET)] }],
      ['route_wallet_missing', 'routes[0].wallet_id', { routes: [route('USDT', 'bnb', UNKNOWN_WALLET)] }],
      ['route_wallet_missing', 'routes[0].wallet_id', { routes: [route('USDT', 'bnb', '{live}')] }],
      ['wallet_merchant_mismatch', 'routes[0].wallet_id', { routes: [route('USDT', 'bnb', '{foreign}')] }],
      ['network_mismatch', 'routes[0].wallet_id', { routes: [route('USDT', 'bnb', '{pending}')] }],
      ['wallet_not_verified', 'routes[0].wallet_id', { routes: [route('USDC', 'base', '{pending}')] }],
      ['route_cooling_down', 'routes[0]', { routes: [route('USDT', 'bnb', '{formerlyRouted}')] }],
    ],
  },
  {
    line: 'POST /v1/api_keys',
    validation: [
      ['parameter_invalid', 'colour', { colour: 'red' }],
      ['parameter_missing', 'kind', { name: 7, scopes: 7, expires_at: 7 }],
      ['invalid_key_kind', 'kind', { kind: 'ck', name: 7, scopes: 7, expires_at: 7 }],
      ['parameter_invalid', 'name', { kind: 'pk', name: 'two\nlines', scopes: 7, expires_at: 7 }],
      ['parameter_missing', 'scopes', { kind: 'pk', expires_at: 7 }],
      ['invalid_scope', 'scopes', { kind: 'pk', scopes: ['payment:write'], expires_at: 7 }],
      ['invalid_scope', 'scopes', { kind: 'pk', scopes: [], expires_at: 7 }],
      ['invalid_timestamp', 'expires_at', { kind: 'pk', scopes: ['payment:create'], expires_at: 7 }],
      ['invalid_timestamp', 'expires_at', { kind: 'pk', scopes: ['payment:create'], expires_at: '2027-02-30T00:00:00Z' }],
    ],
    isHighRisk: true,
    state: [
      ['publishable_scope_forbidden', 'scopes', { kind: 'pk', scopes: ['payment:create'], expires_at: '2020-01-01T00:00:00Z' }],
      ['parameter_invalid', 'expires_at', { kind: 'rk', scopes: ['payment:create'], expires_at: '2020-01-01T00:00:00Z' }],
    ],
  },
  {
    line: 'POST /v1/webhook_endpoints',
    validation: [
      ['parameter_invalid', 'colour', { colour: 'red' }],
      ['parameter_missing', 'url', { enabled_events: '*', description: 7 }],
      ['invalid_webhook_url', 'url', { url: 7, enabled_events: '*', description: 7 }],
      ['parameter_missing', 'enabled_events', { url: 'https://10.0.0.1/', description: 7 }],
      ['parameter_invalid', 'enabled_events', { url: 'https://10.0.0.1/', enabled_events: '*', description: 7 }],
      ['parameter_invalid', 'description', { url: 'https://10.0.0.1/', enabled_events: ['no'], description: 7 }],
      ['invalid_webhook_url', 'url', { url: 'https://10.0.0.1/', enabled_events: ['no'], description: 'a\u0000b' }],
      ['parameter_invalid', 'enabled_events[0]', { url: 'https://a.example/', enabled_events: ['no'], description: 'a\u0000b' }],
      ['parameter_invalid', 'enabled_events', { url: 'https://a.example/', enabled_events: [], description: 'a\u0000b' }],
      ['parameter_invalid', 'description', { url: 'https://a.example/', enabled_events: ['*'], description: 'a\u0000b' }],
    ],
    isHighRisk: true,
    state: [['invalid_request', null, { url: 'https://a.example/', enabled_events: ['*'] }]],
  },
  {
    line: `POST /v1/webhook_endpoints/${UNKNOWN_ENDPOINT}`,
    validation: [
      ['parameter_invalid', 'status', { url: 'https://10.0.0.1/', enabled_events: ['no'], status: 'gone' }],
      ['invalid_webhook_url', 'url', { url: 'https://10.0.0.1/', enabled_events: ['no'] }],
      ['parameter_invalid', 'enabled_events[0]', { enabled_events: ['no'] }],
    ],
    isHighRisk: true,
    state: [['unknown_endpoint', null, { url: 'https://a.example/' }]],
  },
]; // prettier-ignore

/** Calls that no state refuses. */
const VALIDATED: readonly Table[] = [
  {
    line: 'POST /v1/settings',
    validation: [
      ['parameter_invalid', 'colour', { colour: 'red', payment_tolerance_bps: 0.5 }],
      ['invalid_bps', 'payment_tolerance_bps', { payment_tolerance_bps: 0.5, enabled_tokens: 'doge', brand: 7 }],
      ['invalid_tolerance', 'payment_tolerance_bps', { payment_tolerance_bps: 101, enabled_tokens: 'doge', brand: 7 }],
      ['parameter_invalid', 'enabled_tokens', { enabled_tokens: 'doge', brand: 7, default_success_url: 7 }],
      ['parameter_invalid', 'brand', { enabled_tokens: ['doge'], brand: 7, default_success_url: 7 }],
      ['parameter_invalid', 'default_success_url', { enabled_tokens: ['doge'], brand: { color: 'x' }, default_success_url: 7 }],
      ['unknown_token', 'enabled_tokens[0]', { enabled_tokens: ['doge'], brand: { color: 'x' }, default_success_url: 'x' }],
      ['parameter_invalid', 'enabled_tokens', { enabled_tokens: [], brand: { color: 'x' }, default_success_url: 'x' }],
      ['parameter_invalid', 'brand.name', { brand: { name: '', color: 'x' }, default_success_url: 'x' }],
      ['parameter_invalid', 'brand.color', { brand: { color: 'x', logo_url: 'x' }, default_success_url: 'x' }],
      ['parameter_invalid', 'brand.logo_url', { brand: { logo_url: 'http://a.example/' }, default_success_url: 'x' }],
      ['parameter_invalid', 'default_success_url', { default_success_url: 'javascript:x', api_version: '2020-01-01' }],
      ['parameter_invalid', 'api_version', { api_version: '2020-01-01' }],
    ],
    isHighRisk: false,
    state: [],
  },
  {
    line: 'POST /v1/mfa/proofs',
    validation: [
      ['parameter_missing', 'method', { code: 7, action: 7 }],
      ['mfa_method_unsupported', 'method', { method: 'sms', code: 7, action: 7 }],
      ['parameter_invalid', 'code', { method: 'totp', code: 7, action: 7 }],
      ['parameter_missing', 'action', { method: 'totp', code: '000000' }],
      ['parameter_invalid', 'action', { method: 'totp', code: '000000', action: 'payment.create' }],
    ],
    isHighRisk: false,
    state: [],
  },
]; // prettier-ignore

let stage: ApiStage;
let merchant: StagedMerchant;
let names: Readonly<Record<string, string>>;

/** A merchant whose calls find an object in every table. */
beforeAll(async () => {
  stage = await ApiStage.open();
  const instance = await stage.startInstance();
  merchant = await stage.register(instance);
  const other = await stage.register(instance);
  const [first, second, third] = [merchant.owner, developmentWallet(6), developmentWallet(7)];
  const verified = async (network_id: string, owner: typeof first): Promise<string> => {
    const { id } = await merchant.registerWallet({ network_id, address: owner.address });
    await merchant.verifyWallet(id, owner);
    return id;
  };
  names = {
    verified: await verified('base', first),
    formerlyRouted: await verified('bnb', first),
    routed: await verified('bnb', second),
    pending: (await merchant.registerWallet({ address: third.address })).id,
    live: (await merchant.registerWallet({}, { key: merchant.registered.keys.live })).id,
    foreign: (await other.registerWallet()).id,
    open: (await merchant.createIntent({}, { headers: { 'idempotency-key': USED_KEY } })).id,
    canceled: (await merchant.createIntent()).id,
    ownAddress: first.address,
  };
  await merchant.done(`POST /v1/payment_intents/${names.canceled}/cancel`);
  for (const wallet of [names.formerlyRouted, names.routed])
    await merchant.done('PUT /v1/routes', { body: { routes: [route('USDT', 'bnb', String(wallet))] } }, true);
  await merchant.done('POST /v1/settings', { body: { enabled_tokens: ['usdt-bnb', 'usdc-base'] } });
  for (let count = 0; count < 16; count++) await merchant.createEndpoint();
}, LIMIT_MS);

afterAll(() => stage.close());

const named = (text: string): string => text.replace(/\{(\w+)\}/g, (whole, key: string) => names[key] ?? whole);

async function refusal(line: string, body: Json, headers: Readonly<Record<string, string>> = {}) {
  const before = await stage.core.store.lastPosition();
  const filled = JSON.parse(named(JSON.stringify(body))) as Json;
  const { code, body: answer } = await merchant.call(named(line), { body: filled, headers });
  expect(await stage.core.store.lastPosition()).toBe(before);
  return [code, (answer.error?.param as string | undefined) ?? null];
}

describe.each([...TABLES, ...VALIDATED].map(table => [table.line, table] as const))(
  '%s',
  (line, { validation, isHighRisk, state }) => {
    const shown = ([code, param, body]: Row): string =>
      `${code} of ${param ?? 'nothing'}: ${JSON.stringify(body).slice(0, 90)}`;

    for (const row of validation) {
      it(`validates first: ${shown(row)}`, async () => {
        const [code, param, body] = row;
        expect(await refusal(line, body, { 'idempotency-key': USED_KEY })).toEqual([code, param]);
      });
    }

    for (const row of state) {
      it(`then asks what stands: ${shown(row)}`, async () => {
        const [code, param, body] = row;
        if (isHighRisk) expect(await refusal(line, body)).toEqual(['mfa_required', null]);
        expect(await refusal(line, body, isHighRisk ? { 'mfa-code': merchant.nextCode() } : {})).toEqual([code, param]);
      });
    }
  },
);

it('takes the one-time code that a body was refused with', async () => {
  const headers = { 'mfa-code': merchant.nextCode() };
  const wallet = {
    network_id: 'bnb',
    address: `${developmentWallet(8).address}0`,
    label: 'Till',
    controls_private_key: true,
  };
  expect(await refusal('POST /v1/wallets', wallet, headers)).toEqual(['invalid_address', 'address']);
  const body = { ...wallet, address: developmentWallet(8).address };
  expect(await merchant.call('POST /v1/wallets', { body, headers })).toMatchObject({ status: 200 });
});
