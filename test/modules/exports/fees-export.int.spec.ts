import { parseCsv } from '../../../src/cli/csv';
import { feeEntriesReadModel, type FeeEntryDocument } from '../../../src/modules/fees/fee-entries.read-model';
import { timedId } from '../../../src/vocabulary/ids';
import { ApiStage, type ApiInstance } from '../../support/api-stage';
import type { StagedMerchant } from '../../support/staged-merchant';

const FIRST_MS = Date.UTC(2026, 9, 1);
const LIMIT_MS = 60_000;

let stage: ApiStage;
let instance: ApiInstance;
let merchant: StagedMerchant;
let stranger: StagedMerchant;

beforeAll(async () => {
  stage = await ApiStage.open();
  instance = await stage.startInstance();
  [merchant, stranger] = [await stage.register(instance), await stage.register(instance)];
  await stage.project();
  await put(0, { kind: 'accrual', amount_minor_units: '12' });
  await put(1, { kind: 'adjustment', amount_minor_units: '-250', memo: '-250 as agreed' });
  await put(2, { kind: 'accrual', amount_minor_units: '-7', currency: 'JPY' });
}, LIMIT_MS);
afterAll(() => stage.close());

async function put(place: number, changes: Partial<FeeEntryDocument>): Promise<void> {
  const { name, indexes } = feeEntriesReadModel;
  const collection = await stage.core.documents.open<FeeEntryDocument>({ name, indexes });
  const atMs = FIRST_MS + place * 1_000;
  const id = timedId('fee', atMs, Buffer.alloc(10, place));
  const own = { merchant_id: merchant.id, mode: 'test', created: new Date(atMs).toISOString() };
  const blank = { payment_intent: null, fee_invoice: null, memo: null, currency: 'EUR' };
  const body = { ...own, ...blank, kind: 'accrual', amount_minor_units: '0', ...changes } as const;
  await collection.put({ id, version: 1, body });
}

const rowsOf = async (asker: StagedMerchant, query = '') =>
  parseCsv((await asker.done(`GET /v1/exports/fees${query}`)) as string);

it('has the rows of the ledger in the order of the list, with signed amounts that can be summed', async () => {
  const { data } = (await merchant.done('GET /v1/fees')) as { data: readonly { id: string }[] };
  const rows = await rowsOf(merchant);
  expect(rows.map(({ id }) => id)).toEqual(data.map(({ id }) => id));
  expect(rows.map(row => [row.kind, row.amount, row.amount_decimal, row.currency, row.memo])).toEqual([
    ['accrual', '-7', '-7', 'JPY', ''],
    ['adjustment', '-250', '-2.50', 'EUR', "'-250 as agreed"],
    ['accrual', '12', '0.12', 'EUR', ''],
  ]);
  const from = new Date(FIRST_MS + 2_000).toISOString();
  expect(await rowsOf(merchant, `?from=${from}`)).toHaveLength(1);
});

it('shows no other account and no other mode', async () => {
  expect(await rowsOf(stranger)).toEqual([]);
  const live = await merchant.done('GET /v1/exports/fees', { key: merchant.registered.keys.live });
  expect(parseCsv(live as string)).toEqual([]);
});
