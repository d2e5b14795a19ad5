import { eventsBesideCoverage } from '../support/embedded-log';
import { Merchant } from '../support/merchant';
import { ServiceInProcess } from '../support/service-in-process';

const LIMIT_MS = 60_000;
/** No case needs this network. */
const AWAY = 'http://127.0.0.1:9';
const UNKNOWN_PI = 'pi_00000000000000000000000000';
const UNKNOWN_WALLET = 'wal_00000000000000000000000000';

type Case = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly expected: readonly [status: number, code: string, param?: string];
};

const order = (change: object): string => JSON.stringify({ amount: '2500', currency: 'EUR', ...change });
const create = (body: string, ...expected: Case['expected']): Case => ({
  method: 'POST',
  path: '/v1/payment_intents',
  body,
  expected,
});
const select = (body: object, ...expected: Case['expected']): Case => ({
  method: 'POST',
  path: '/v1/payment_intents/{open}/select_method',
  body: JSON.stringify(body),
  expected,
});
const wallet = (address: string, ...expected: Case['expected']): Case => ({
  method: 'POST',
  path: '/v1/wallets',
  body: JSON.stringify({ address, network_id: 'base', label: 'x', controls_private_key: true }),
  expected,
});

const CASES: readonly Case[] = [
  create('{', 400, 'invalid_json'),
  create('[]', 400, 'invalid_body'),
  create('"x"', 400, 'invalid_body'),
  create('{}', 400, 'parameter_missing', 'amount'),
  create(order({ amount: undefined }), 400, 'parameter_missing', 'amount'),
  create(order({ amount: 0 }), 400, 'amount_too_small', 'amount'),
  create(order({ amount: -5 }), 400, 'amount_too_small', 'amount'),
  create(order({ amount: 25.5 }), 400, 'invalid_amount', 'amount'),
  create('{"amount":2500.0,"currency":"EUR"}', 400, 'invalid_amount', 'amount'),
  create('{"amount":25e2,"currency":"EUR"}', 400, 'invalid_amount', 'amount'),
  create(order({ amount: '25.00' }), 400, 'invalid_amount', 'amount'),
  create(order({ amount: '99999999999999999999' }), 400, 'amount_too_large', 'amount'),
  create(order({ amount: '1' }), 400, 'amount_too_small', 'amount'),
  create(order({ currency: 'eur' }), 400, 'invalid_currency', 'currency'),
  create(order({ currency: 'XYZ' }), 400, 'currency_not_supported', 'currency'),
  create(order({ metadata: { n: 1 } }), 400, 'invalid_metadata_value', 'metadata.n'),
  create(order({ metadata: { ['k'.repeat(41)]: 'v' } }), 400, 'invalid_metadata_key', 'metadata'),
  create(order({ metadata: { k: 'v'.repeat(501) } }), 400, 'metadata_too_large', 'metadata.k'),
  create(order({ success_url: 'not a url' }), 400, 'parameter_invalid', 'success_url'),
  create(order({ colour: 'red' }), 400, 'parameter_invalid', 'colour'),
  create('{"__proto__":{"x":1},"amount":"2500","currency":"EUR"}', 400, 'parameter_invalid', '__proto__'),
  create(`{"amount":"2500","currency":"EUR","metadata":{"k":"${'v'.repeat(70_000)}"}}`, 413, 'request_too_large'),
  { ...create(order({}), 415, 'unsupported_media_type'), headers: { 'content-type': 'text/plain' } },
  { ...create(order({}), 401, 'invalid_authorization_header'), headers: { authorization: 'Basic eDp5' } },
  { ...create(order({}), 401, 'invalid_api_key'), headers: { authorization: 'Bearer sk_test_nothing' } },
  { method: 'GET', path: '/v1/payment_intents?limit=0', expected: [400, 'invalid_limit', 'limit'] },
  { method: 'GET', path: '/v1/payment_intents?colour=red', expected: [400, 'invalid_filter', 'colour'] },
  {
    method: 'GET',
    path: `/v1/payment_intents?starting_after=${UNKNOWN_PI}`,
    expected: [400, 'invalid_cursor', 'starting_after'],
  },
  { method: 'GET', path: '/v1/payment_intents?status=lost', expected: [400, 'invalid_filter', 'status'] },
  {
    method: 'GET',
    path: '/v1/payment_intents?created_from=yesterday',
    expected: [400, 'invalid_timestamp', 'created_from'],
  },
  {
    method: 'GET',
    path: '/v1/payment_intents?created_from=2026-11-02T00:00:00Z&created_to=2026-11-01T00:00:00Z',
    expected: [400, 'invalid_range', 'created_from'],
  },
  { method: 'GET', path: `/v1/payment_intents/${UNKNOWN_PI}`, expected: [404, 'payment_not_found'] },
  { method: 'GET', path: '/v1/payment_intents/undefined', expected: [400, 'missing_path_parameter', 'id'] },
  { method: 'GET', path: '/payment_intents', expected: [404, 'unknown_route'] },
  { method: 'DELETE', path: `/v1/payment_intents/${UNKNOWN_PI}`, expected: [405, 'method_not_allowed'] },
  { method: 'POST', path: `/v1/payment_intents/${UNKNOWN_PI}/cancel`, expected: [404, 'payment_not_found'] },
  select({ token_id: 'doge', wallet_id: UNKNOWN_WALLET }, 400, 'unknown_token', 'token_id'),
  select({ token_id: 'usdc-base' }, 400, 'parameter_missing', 'wallet_id'),
  select({ token_id: 'usdt-tron', wallet_id: UNKNOWN_WALLET }, 404, 'wallet_not_found', 'wallet_id'),
  select({ token_id: 'usdc-base', wallet_id: UNKNOWN_WALLET }, 404, 'wallet_not_found', 'wallet_id'),
  { method: 'POST', path: '/v1/payment_intents/{open}/accept', body: '{}', expected: [409, 'payment_not_underpaid'] },
  {
    method: 'POST',
    path: '/v1/payment_intents/{open}/resolve',
    body: '{"resolution":"accepted","note":"x"}',
    expected: [409, 'payment_not_resolvable'],
  },
  wallet('0x12', 400, 'invalid_address', 'address'),
  wallet('0x70997970C51812dc3A010C7d01b50e0d17dc79C8', 401, 'mfa_required'),
];

describe('bad input', () => {
  let service: ServiceInProcess;
  let merchant: Merchant;
  let open: string;

  beforeAll(async () => {
    service = await ServiceInProcess.start({ SANDBOX_CHAINS: 'on', BNB_TEST_RPC_URLS: AWAY });
    merchant = Merchant.of(await service.register('Corner Shop'), service.url);
    open = (await merchant.createIntent('2500', 'EUR')).id;
  }, LIMIT_MS);

  afterAll(() => service?.stop(), LIMIT_MS);

  it.each(CASES.map(given => [`${given.method} ${given.path} ${(given.body ?? '').slice(0, 60)}`, given] as const))(
    '%s is refused and leaves nothing behind',
    async (_, { method, path: url, body, headers, expected: [status, code, param] }) => {
      const before = eventsBesideCoverage(service.dataFolder);
      const response = await fetch(service.url + url.replace('{open}', open), {
        method,
        headers: {
          authorization: `Bearer ${merchant.key}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body }),
      });
      const { error } = (await response.json()) as { error: Record<string, string> };
      expect([response.status, error.code, error.param]).toStrictEqual([status, code, param]);
      expect(error.doc_url).toMatch(new RegExp(`/errors/${code}$`));
      expect(error.request_log_url).toContain(response.headers.get('request-id'));
      expect(eventsBesideCoverage(service.dataFolder)).toBe(before);
    },
  );
});
