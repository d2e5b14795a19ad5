import { parseCsv } from '../../../src/cli/csv';
import type { InvoiceDocument } from '../../../src/modules/invoices/invoices.read-model';
import { ApiStage, type ApiInstance } from '../../support/api-stage';
import type { StagedMerchant } from '../../support/staged-merchant';

const LIMIT_MS = 60_000;
const LINE = { description: 'Work', quantity: 3, unit_amount: '1000', discount_bps: 1_000, tax_bps: 1_900 };

let stage: ApiStage;
let instance: ApiInstance;
let merchant: StagedMerchant;
let stranger: StagedMerchant;

beforeAll(async () => {
  stage = await ApiStage.open();
  instance = await stage.startInstance();
  [merchant, stranger] = [await stage.register(instance), await stage.register(instance)];
  const customer = { name: '@Ada', email: 'ada@shop.example' };
  await merchant.done('POST /v1/invoices', { body: { currency: 'EUR', lines: [LINE], customer, notes: '=1+1' } });
  stage.clock.aheadMs += 2_000;
  await merchant.done('POST /v1/invoices', { body: { currency: 'JPY', amount: '500' } });
  await stage.project();
}, LIMIT_MS);
afterAll(() => stage.close());

const rowsOf = async (asker: StagedMerchant, query = '') =>
  parseCsv((await asker.done(`GET /v1/exports/invoices${query}`)) as string);

it('has the invoices newest number first, with totals that can be summed', async () => {
  const { data } = (await merchant.done('GET /v1/invoices')) as { data: readonly { id: string; amount: string }[] };
  const rows = await rowsOf(merchant);
  expect(rows.map(({ id, amount }) => [id, amount])).toEqual(data.map(({ id, amount }) => [id, amount]));
  expect(rows.map(row => [row.sequence, row.currency, row.amount, row.amount_decimal, row.tax_total_decimal])).toEqual([
    ['2', 'JPY', '500', '500', '0'],
    ['1', 'EUR', '3213', '32.13', '5.13'],
  ]);
  expect(rows[1]).toMatchObject({ customer_name: "'@Ada", notes: "'=1+1", discount_total: '300', subtotal: '3000' });
});

it('reads no line of an invoice', async () => {
  const { readModels } = instance.parts.core;
  const list = jest.spyOn(readModels, 'list');
  await rowsOf(merchant);
  const read = (await Promise.all(list.mock.results.map(({ value }) => value as ReturnType<typeof readModels.list>)))
    .flat()
    .map(({ body }) => body as InvoiceDocument);
  expect(read.map(({ state }) => [state.terms.sequence, 'lines' in state.terms.draft])).toEqual([
    [2, false],
    [1, false],
  ]);
  list.mockRestore();
});

it('has the invoices of a range, by their creation', async () => {
  const [newest, oldest] = (await rowsOf(merchant)).map(({ created }) => created);
  expect((await rowsOf(merchant, `?from=${newest}`)).map(({ sequence }) => sequence)).toEqual(['2']);
  expect((await rowsOf(merchant, `?to=${oldest}`)).map(({ sequence }) => sequence)).toEqual(['1']);
  expect(await rowsOf(merchant, `?from=${oldest}&to=${newest}`)).toHaveLength(2);
});

it('shows no other account and no other mode', async () => {
  expect(await rowsOf(stranger)).toEqual([]);
  const live = await merchant.done('GET /v1/exports/invoices', { key: merchant.registered.keys.live });
  expect(parseCsv(live as string)).toEqual([]);
});
