import type { Asked } from './example-stage';

const NEVER = '00000000000000000000000000';
const PAYMENT = `/v1/payment_intents/pi_${NEVER}`;
const ORDER = { amount: '2500', currency: 'EUR' };
const KEY = { kind: 'rk', name: 'Till', scopes: ['payment:read'] };
const ADDRESS = '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A';
const WALLET = { network_id: 'base', address: ADDRESS, label: 'Till', controls_private_key: true };
const HOOKS = { url: 'https://shop.example/hooks', enabled_events: ['*'] };

/** Calls that are refused, each with a code of its own. */
export const REFUSED: readonly (readonly [line: string, asked?: Asked])[] = [
  ['GET /v1/wallets', { key: null }],
  ['GET /v1/wallets', { key: `sk_test_${'x'.repeat(49)}` }],
  ['GET /v1/wallets', { headers: { authorization: 'Basic eA==' } }],
  ['GET /v1/wallets?limit=500'],
  ['GET /v1/wallets?starting_after=x'],
  ['GET /v1/payment_intents?status=paid'],
  ['GET /v1/payment_intents?created_from=2026-11-01'],
  ['GET /v1/payment_intents?created_from=2026-11-02T00:00:00Z&created_to=2026-11-01T00:00:00Z'],
  ['GET /v1/exchange_rates?currency=eur'],
  ['GET /v1/exchange_rates?currency=XYZ'],
  [`GET ${PAYMENT}`],
  [`GET /v1/wallets/wal_${NEVER}`],
  [`GET /v1/api_keys/key_${NEVER}`],
  [`GET /v1/webhook_endpoints/we_${NEVER}`],
  [`GET /v1/unmatched_transfers/tr_${NEVER}`],
  ['POST /v1/payment_intents', { body: '{"amount":' }],
  ['POST /v1/payment_intents', { body: '[]' }],
  [
    'POST /v1/payment_intents',
    { body: 'amount=2500', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
  ],
  ['POST /v1/payment_intents', { body: { currency: 'EUR' } }],
  ['POST /v1/payment_intents', { body: { ...ORDER, color: 'red' } }],
  ['POST /v1/payment_intents', { body: { ...ORDER, amount: '25.00' } }],
  ['POST /v1/payment_intents', { body: { ...ORDER, amount: '0' } }],
  ['POST /v1/payment_intents', { body: { ...ORDER, amount: '900000000000' } }],
  ['POST /v1/payment_intents', { body: { ...ORDER, currency_decimals: 2 } }],
  ['POST /v1/payment_intents', { body: { ...ORDER, metadata: { order: 42 } } }],
  ['POST /v1/payment_intents', { body: ORDER, headers: { 'idempotency-key': 'x'.repeat(256) } }],
  [`POST ${PAYMENT}/select_method`, { body: { token_id: 'USDC', wallet_id: `wal_${NEVER}` } }],
  [`POST ${PAYMENT}/select_method`, { body: { token_id: 'doge', wallet_id: `wal_${NEVER}` } }],
  [`POST ${PAYMENT}/resolve`, { body: { resolution: 'maybe', note: 'Let me see' } }],
  [`POST ${PAYMENT}/transaction`, { body: { tx_hash: '' } }],
  [`POST ${PAYMENT}/transaction`, { body: { tx_hash: `0x${'5c'.repeat(32)}`, log_index: -1 } }],
  ['POST /v1/wallets', { body: WALLET }],
  ['POST /v1/wallets', { body: WALLET, headers: { 'mfa-code': '000000' } }],
  ['POST /v1/wallets', { body: { ...WALLET, address: '0x19E7' } }],
  ['POST /v1/wallets', { body: { ...WALLET, network_id: 'solana' }, mfa: true }],
  ['POST /v1/api_keys', { body: { ...KEY, kind: 'xk' } }],
  ['POST /v1/api_keys', { body: { ...KEY, scopes: ['payment:all'] } }],
  ['POST /v1/webhook_endpoints', { body: { ...HOOKS, url: 'https://127.0.0.1/hooks' } }],
  ['POST /v1/settings', { body: { payment_tolerance_bps: 0.5 } }],
  ['POST /v1/settings', { body: { payment_tolerance_bps: 9_999 } }],
  ['POST /v1/sandbox/clock', { body: { advance_ms: -1 } }],
  ['POST /v1/sandbox/clock', { body: { now: 'tomorrow' } }],
  ['POST /v1/mfa/proofs', { body: { method: 'sms', code: '123456', action: 'wallet.create' } }],
];
