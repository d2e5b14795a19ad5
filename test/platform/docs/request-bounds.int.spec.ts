import type { Schema } from '../../../src/platform/docs/api-document';
import { ApiStage, type ApiInstance } from '../../support/api-stage';
import { OpenApiValidation } from '../../support/openapi-validation';
import type { StagedMerchant } from '../../support/staged-merchant';

const LIMIT_MS = 60_000;
const UNKNOWN_PAYMENT = 'pi_00000000000000000000000000';
/** One character, two UTF-16 units. */
const COIN = '🪙';
/** A heart and the selector that paints it red: two characters, though people see one. */
const HEART = '\u2764\ufe0f';

type Row = readonly [what: string, body: object, refused: string | null];

const order = (changes: object) => ({ amount: '2500', currency: 'EUR', ...changes });
const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`key_${n}`, 'v']));
const wallet = (label: string) => ({
  network_id: 'base',
  address: '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A',
  label,
  controls_private_key: true,
});
const endpoint = (changes: object) => ({ url: 'https://a.example/', enabled_events: ['*'], ...changes });
const key = (changes: object) => ({ kind: 'rk', scopes: ['payment:read'], ...changes });
const invoice = (changes: object) => ({
  currency: 'EUR',
  lines: [{ description: 'Green tea', quantity: 1, unit_amount: '1250', ...changes }],
});
const texts = (limit: number, text: (value: string) => object, refused: string): readonly Row[] => [
  [`${limit} letters`, text('a'.repeat(limit)), null],
  [`${limit} characters of two units`, text(COIN.repeat(limit)), null],
  [`${limit / 2} characters with a selector each`, text(HEART.repeat(limit / 2)), null],
  [`${limit + 1} letters`, text('a'.repeat(limit + 1)), refused],
  [`${limit + 1} characters of two units`, text(COIN.repeat(limit + 1)), refused],
  [`${limit / 2 + 1} characters with a selector each`, text(HEART.repeat(limit / 2 + 1)), refused],
];

/** A body that passes its validation is refused by the state alone: a code is absent, or there is no such payment. */
const TABLES: readonly (readonly [line: string, schema: string, otherwise: string | null, rows: readonly Row[]])[] = [
  [
    'POST /v1/payment_intents',
    'create_payment_intent_request',
    null,
    [
      ['the amount as a text with leading zeros', order({ amount: '0002500' }), null],
      ['an amount of nothing', order({ amount: '000' }), 'amount_too_small'],
      ['an amount of 31 digits', order({ amount: '1'.repeat(31) }), 'amount_too_large'],
      ['an empty amount', order({ amount: '' }), 'invalid_amount'],
      ['the number 0', order({ amount: 0 }), 'amount_too_small'],
      ['20 keys', order({ metadata: keys(20) }), null],
      ['21 keys', order({ metadata: keys(21) }), 'metadata_too_large'],
      ['a key of one character', order({ metadata: { k: 'v' } }), null],
      ['a key of 40 characters', order({ metadata: { ['k'.repeat(40)]: 'v' } }), null],
      ['a key of 41 characters', order({ metadata: { ['k'.repeat(41)]: 'v' } }), 'invalid_metadata_key'],
      ['an empty key', order({ metadata: { '': 'v' } }), 'invalid_metadata_key'],
      ['a key with a space', order({ metadata: { 'order id': 'v' } }), null],
      ['a key with a line feed', order({ metadata: { 'order\nid': 'v' } }), 'invalid_metadata_key'],
      ['a key that is not ASCII', order({ metadata: { größe: 'v' } }), 'invalid_metadata_key'],
      ...texts(500, k => order({ metadata: { k } }), 'metadata_too_large'),
    ],
  ],
  [
    `POST /v1/payment_intents/${UNKNOWN_PAYMENT}/accept`,
    'accept_request',
    'payment_not_found',
    texts(500, note => ({ note }), 'parameter_invalid'),
  ],
  [
    `POST /v1/payment_intents/${UNKNOWN_PAYMENT}/resolve`,
    'resolve_request',
    'payment_not_found',
    [
      ...texts(500, note => ({ resolution: 'rejected', note }), 'parameter_invalid'),
      ['an empty note', { resolution: 'rejected', note: '' }, 'invalid_resolution'],
      ['a blank note', { resolution: 'rejected', note: ' \n ' }, 'invalid_resolution'],
    ],
  ],
  [
    'POST /v1/wallets',
    'register_wallet_request',
    'mfa_required',
    [
      ...texts(100, wallet, 'parameter_invalid'),
      ['a blank label', wallet(' '), 'parameter_invalid'],
      ['a label with a tab', wallet('a\tb'), 'parameter_invalid'],
    ],
  ],
  [
    'POST /v1/webhook_endpoints',
    'create_webhook_endpoint_request',
    'mfa_required',
    [
      ...texts(500, description => endpoint({ description }), 'parameter_invalid'),
      ['a description with a line feed', endpoint({ description: 'a\nb' }), 'parameter_invalid'],
      ['no types', endpoint({ enabled_events: [] }), 'parameter_invalid'],
      ['15 types', endpoint({ enabled_events: Array(15).fill('payment.failed') }), 'parameter_invalid'],
    ],
  ],
  [
    'POST /v1/webhook_endpoints/we_00000000000000000000000000',
    'change_webhook_endpoint_request',
    'mfa_required',
    [
      ...texts(500, description => ({ description }), 'parameter_invalid'),
      ['a description with a line feed', { description: 'a\nb' }, 'parameter_invalid'],
      ['no types', { enabled_events: [] }, 'parameter_invalid'],
    ],
  ],
  [
    'POST /v1/api_keys',
    'mint_api_key_request',
    'mfa_required',
    [
      ...texts(100, name => key({ name }), 'parameter_invalid'),
      ['a name with a tab', key({ name: 'a\tb' }), 'parameter_invalid'],
      ['no scopes', key({ scopes: [] }), 'invalid_scope'],
      ['18 scopes', key({ scopes: Array(18).fill('payment:read') }), 'invalid_scope'],
    ],
  ],
  [
    'POST /v1/settings',
    'change_settings_request',
    null,
    [
      ['no tolerance', { payment_tolerance_bps: 0 }, null],
      ['a tolerance of 1%', { payment_tolerance_bps: 100 }, null],
      ['more than 1%', { payment_tolerance_bps: 101 }, 'invalid_tolerance'],
      ['less than nothing', { payment_tolerance_bps: -1 }, 'invalid_tolerance'],
      ['half a basis point', { payment_tolerance_bps: 0.5 }, 'invalid_bps'],
      ['a tolerance in a text', { payment_tolerance_bps: '1' }, 'invalid_bps'],
      ['no tokens', { enabled_tokens: [] }, 'parameter_invalid'],
      ['an unknown token', { enabled_tokens: ['doge'] }, 'unknown_token'],
      ['a color of three digits', { brand: { color: '#fff' } }, 'parameter_invalid'],
      ['a color in capitals', { brand: { color: '#FFEE00' } }, null],
      ['an empty name', { brand: { name: '' } }, 'parameter_invalid'],
      ['a blank name', { brand: { name: ' ' } }, 'parameter_invalid'],
      ['a name with a tab', { brand: { name: 'a\tb' } }, 'parameter_invalid'],
      ...texts(100, name => ({ brand: { name } }), 'parameter_invalid'),
    ],
  ],
  [
    'POST /v1/invoices',
    'draft_invoice_request',
    null,
    [
      ['a line', invoice({}), null],
      ['a line with a tab', invoice({ description: 'a\tb' }), 'parameter_invalid'],
      ['a blank line', invoice({ description: ' ' }), 'parameter_invalid'],
    ],
  ],
  [
    'POST /v1/sandbox/clock',
    'advance_sandbox_clock_request',
    null,
    [
      ['no time at all', { advance_ms: 0 }, null],
      ['half a millisecond', { advance_ms: 0.5 }, 'invalid_duration'],
      ['back in time', { advance_ms: -1 }, 'invalid_advance'],
      ['a day more than ten years', { advance_ms: 3_651 * 86_400_000 }, 'invalid_advance'],
    ],
  ],
  [
    'POST /v1/mfa/proofs',
    'create_mfa_proof_request',
    'mfa_proof_invalid',
    [['a code of six digits', { method: 'totp', code: '000000', action: 'wallet.create' }, null]],
  ],
];

let stage: ApiStage;
let instance: ApiInstance;
let merchant: StagedMerchant;
let validation: OpenApiValidation;

beforeAll(async () => {
  stage = await ApiStage.open();
  instance = await stage.startInstance();
  merchant = await stage.register(instance);
  validation = new OpenApiValidation(await merchant.done('GET /openapi.json'));
}, LIMIT_MS);

afterAll(() => stage.close());

describe.each(TABLES)('%s', (line, schema, otherwise, rows) => {
  it.each(rows)('judges as the contract says: %s', async (_, body, refused) => {
    const { code } = await merchant.call(line, { body });
    expect(code).toBe(refused ?? otherwise);
    const stated = validation.document.components.schemas[schema] as Schema;
    expect(validation.validator(schema, stated)(body)).toBe(refused === null);
  });
});

it.each(['https://bücher.example/hooks', 'https://a.example/größe', 'https://a.example/{id}', 'HTTPS://A.example'])(
  'shows an endpoint at %s as it was given, by a contract that allows it',
  async url => expect((await merchant.createEndpoint({ url })).url).toBe(url),
);
