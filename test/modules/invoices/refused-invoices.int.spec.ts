import { ApiStage } from '../../support/api-stage';
import type { StagedMerchant } from '../../support/staged-merchant';
import { LINE, TERMS } from './invoice-order';

const LIMIT_MS = 60_000;

let stage: ApiStage;
let merchant: StagedMerchant;

beforeAll(async () => {
  stage = await ApiStage.open();
  merchant = await stage.register(await stage.startInstance());
}, LIMIT_MS);
afterAll(() => stage.close());

it.each<[object, string, string | null]>([
  [{ currency: 'eur' }, 'invalid_currency', 'currency'],
  [{ currency: 'XXX' }, 'currency_not_supported', 'currency'],
  [{ currency: 'CLF' }, 'currency_not_supported', 'currency'],
  [{ lines: undefined }, 'parameter_missing', 'lines'],
  [{ amount: 1 }, 'parameter_invalid', 'amount'],
  [{ lines: [] }, 'parameter_invalid', 'lines'],
  [{ lines: Array.from({ length: 101 }, () => LINE) }, 'parameter_invalid', 'lines'],
  [{ lines: [{ ...LINE, quantity: 0 }] }, 'parameter_invalid_integer', 'lines[0].quantity'],
  [{ lines: [{ ...LINE, quantity: 1.5 }] }, 'parameter_invalid_integer', 'lines[0].quantity'],
  [{ lines: [{ ...LINE, quantity: 1_000_001 }] }, 'parameter_invalid_integer', 'lines[0].quantity'],
  [{ lines: [LINE, { ...LINE, tax_bps: 10_001 }] }, 'invalid_bps', 'lines[1].tax_bps'],
  [{ lines: [{ ...LINE, discount_bps: -1 }] }, 'invalid_bps', 'lines[0].discount_bps'],
  [{ lines: [{ ...LINE, unit_amount: '12.50' }] }, 'invalid_amount', 'lines[0].unit_amount'],
  [{ lines: [{ ...LINE, description: ' ' }] }, 'parameter_invalid', 'lines[0].description'],
  [{ lines: [{ ...LINE, colour: 'red' }] }, 'parameter_invalid', 'lines[0].colour'],
  [{ lines: [{ ...LINE, discount_bps: 10_000 }] }, 'amount_too_small', 'lines'],
  [{ lines: [{ ...LINE, unit_amount: '9'.repeat(30) }] }, 'amount_too_large', 'lines'],
  [{ lines: [{ ...LINE, unit_amount: '9'.repeat(15) }] }, 'amount_too_large', 'amount'],
  [{ customer: { name: 'Ada', email: 'nowhere' } }, 'parameter_invalid', 'customer.email'],
  [{ customer: { email: 'ada@example.com' } }, 'parameter_missing', 'customer.name'],
  [{ due_at: '2030-02-30T00:00:00Z' }, 'invalid_timestamp', 'due_at'],
  [{ language: 'it' }, 'parameter_invalid', 'language'],
  [{ due_at: '9999-12-31T00:00:00Z' }, 'invalid_timestamp', 'due_at'],
  [{ metadata: { order: 42 } }, 'invalid_metadata_value', 'metadata.order'],
  [{ metadata: { [`k${'x'.repeat(40)}`]: '1' } }, 'invalid_metadata_key', 'metadata'],
  [{ metadata: { order: 'x'.repeat(501) } }, 'metadata_too_large', 'metadata.order'],
])('refuses %j, and takes no number', async (changes, code, param) => {
  const answer = await merchant.call('POST /v1/invoices', { body: { ...TERMS, ...changes } });
  expect([answer.code, answer.body.error?.param ?? null]).toEqual([code, param]);
  expect(await stage.core.store.readStream(`test.invoice_series-${merchant.id}`)).toEqual([]);
});
