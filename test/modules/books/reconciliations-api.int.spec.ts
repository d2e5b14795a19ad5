import { balances, balanceStreamId } from '../../../src/modules/books/balance.decider';
import { DaySums } from '../../../src/modules/books/day-sums';
import type { Mode } from '../../../src/vocabulary/modes';
import { ApiStage, type ApiInstance } from '../../support/api-stage';
import type { StagedMerchant } from '../../support/staged-merchant';

const LIMIT_MS = 60_000;
const WALLET = `wal_${'1'.repeat(26)}`;
const OTHER_WALLET = `wal_${'2'.repeat(26)}`;
const TX = `0x${'5c'.repeat(32)}`;

let stage: ApiStage;
let instance: ApiInstance;
let merchant: StagedMerchant;
let stranger: StagedMerchant;

type Closed = {
  readonly day: string;
  readonly wallet?: string;
  readonly mode?: Mode;
  readonly owner?: StagedMerchant;
  readonly fill?: (sums: DaySums) => void;
};

async function close({ day, wallet = WALLET, mode = 'test', owner = merchant, fill }: Closed): Promise<void> {
  const { commands, writes } = stage.core;
  const place = { wallet_id: wallet, token_id: 'usdc-base', day } as const;
  const id = balanceStreamId(place);
  const balance = { ...place, block_number: 7, block_hash: '0x7', balance_base_units: '100000000' };
  const context = () => commands.of('books').as('watcher', mode, owner.id);
  await writes.execute(balances, id, { type: 'observe', balance }, await context());
  if (!fill) return;
  const sums = new DaySums();
  fill(sums);
  const closed = sums.closed(place, { opening: 90_000_000n, closing: 100_000_000n });
  await writes.execute(balances, id, { type: 'reconcile', day: closed }, await context());
}

const came = (column: 'credited' | 'unknown') => (sums: DaySums) => {
  const movement = { txHash: TX, ordinal: 3, valueBaseUnits: 10_000_000n };
  sums.received(movement, column === 'unknown' ? { column } : { column, valueBaseUnits: 10_000_000n });
};

beforeAll(async () => {
  stage = await ApiStage.open();
  instance = await stage.startInstance();
  [merchant, stranger] = [await stage.register(instance), await stage.register(instance)];
  await close({ day: '2026-11-01', fill: came('credited') });
  await close({ day: '2026-11-02', fill: came('unknown') });
  await close({ day: '2026-11-02', wallet: OTHER_WALLET, fill: came('credited') });
  await close({ day: '2026-11-03' });
  await close({ day: '2026-11-03', wallet: `wal_${'4'.repeat(26)}`, mode: 'live', fill: came('credited') });
  await close({ day: '2026-11-03', wallet: `wal_${'3'.repeat(26)}`, owner: stranger, fill: came('credited') });
}, LIMIT_MS);

afterAll(() => stage.close());

const rows = async (query = '', owner = merchant) => {
  const { data } = await owner.done(`GET /v1/reconciliations${query}`);
  return (data as { day: string; wallet: string }[]).map(({ day, wallet }) => [day, wallet]);
};

it('shows a day with its sums, and each difference by its name', async () => {
  const { data } = await merchant.done(`GET /v1/reconciliations?wallet=${WALLET}`);
  const none = '0.000000';
  expect(data).toMatchObject([
    { day: '2026-11-03', status: 'pending', opening: null, credited: null, difference: null, closing: '100.000000' },
    {
      object: 'reconciliation',
      mode: 'test',
      wallet: WALLET,
      network_id: 'base',
      token_id: 'usdc-base',
      asset_symbol: 'USDC',
      day: '2026-11-02',
      status: 'different',
      opening: '90.000000',
      ...{ credited: none, unmatched: none, unrelated: none, dust: none, sent: none },
      closing: '100.000000',
      difference: '10.000000',
      transfers: 1,
      differences: [{ kind: 'unknown_transfer', token_amount: '10.000000', tx_hash: TX, log_index: 3 }],
    },
    { day: '2026-11-01', status: 'balanced', credited: '10.000000', difference: none, differences: [] },
  ]);
});

it('lists the newest day first, of one mode and one account', async () => {
  const all = await rows();
  expect(all.map(([day]) => day)).toEqual(['2026-11-03', '2026-11-02', '2026-11-02', '2026-11-01']);
  expect(await rows('', stranger)).toHaveLength(1);
  expect(await rows(`?wallet=${WALLET}`, stranger)).toEqual([]);
});

it.each([
  ['?from=2026-11-02', 3],
  ['?to=2026-11-02', 3],
  ['?from=2026-11-02&to=2026-11-02', 2],
  [`?from=2026-11-02&to=2026-11-03&wallet=${OTHER_WALLET}`, 1],
  ['?from=2027-01-01', 0],
])('takes the days of %s', async (query, count) => {
  expect(await rows(query)).toHaveLength(count);
});

it('pages without a gap', async () => {
  const paged: string[][] = [];
  for (let cursor = '', isMore = true; isMore;) {
    const page = await merchant.done(`GET /v1/reconciliations?limit=1${cursor}`);
    const [row] = page.data as { id: string; day: string; wallet: string }[];
    if (row) paged.push([row.day, row.wallet]);
    cursor = `&starting_after=${row?.id}`;
    isMore = page.has_more as boolean;
  }
  expect(paged).toEqual(await rows());
});

it.each([
  ['invalid_timestamp', '?from=2026-02-30'],
  ['invalid_timestamp', '?to=2026-11-02T00:00:00Z'],
  ['invalid_range', '?from=2026-11-03&to=2026-11-02'],
  ['invalid_filter', '?wallet=till'],
  ['invalid_filter', '?status=pending'],
  ['invalid_cursor', '?starting_after=rec_00000000000000000000000000'],
])('answers %s to %s', async (code, query) => {
  expect((await merchant.call(`GET /v1/reconciliations${query}`)).code).toBe(code);
});

it('refuses the cursor of another account', async () => {
  const { data } = await stranger.done('GET /v1/reconciliations');
  expect((await merchant.call(`GET /v1/reconciliations?starting_after=${data[0].id}`)).code).toBe('invalid_cursor');
});
