import 'reflect-metadata';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BooksStatement } from '../../src/modules/books/books-statement';
import { parseCsv } from '../../src/cli/csv';
import { statementPdf } from '../../web/pdf/statement-pdf';
import { openToolbox } from '../../src/cli/toolbox';
import { balances, balanceStreamId } from '../../src/modules/books/balance.decider';
import { DaySums } from '../../src/modules/books/day-sums';
import type { TokenId } from '../../src/vocabulary/tokens';
import { lookAtPdf, seenLines } from '../web/pdf-text';
import { CliSession } from './cli-support';

const ONE = `mch_${'1'.repeat(26)}`;
const OTHER = `mch_${'2'.repeat(26)}`;
const WALLET = `wal_${'1'.repeat(26)}`;
const SECOND_WALLET = `wal_${'3'.repeat(26)}`;
const OTHER_WALLET = `wal_${'2'.repeat(26)}`;
const TX = `0x${'5c'.repeat(32)}`;
const HEADER =
  'month,mode,merchant,wallet,network,token,opening,credited,unmatched,unrelated,dust,sent,difference,closing,transfers,days,days_different,days_pending';

let cli: CliSession;

type Facts = {
  readonly merchantId: string;
  readonly wallet: string;
  readonly day: string;
  readonly token?: TokenId;
  readonly opening: bigint | null;
  /** Null where no provider could tell it. */
  readonly closing: bigint | null;
  readonly fill?: (sums: DaySums) => void;
  readonly isPending?: boolean;
};

beforeAll(async () => {
  cli = new CliSession();
  const toolbox = await openToolbox(cli.env, () => undefined, 'alice');
  let count = 0;
  const close = async ({ merchantId, wallet, day, token = 'usdc-base', fill, isPending, ...rest }: Facts) => {
    const place = { wallet_id: wallet, token_id: token, day };
    const context = await toolbox.commands.of('books').as('watcher', 'test', merchantId);
    const step = () => ({ ...context, commandId: `step-${++count}` });
    const id = balanceStreamId(place);
    const closing = rest.closing?.toString() ?? null;
    const balance = { ...place, block_number: 7, block_hash: '0x7', balance_base_units: closing ?? '' };
    if (closing !== null) await toolbox.writes.execute(balances, id, { type: 'observe', balance }, step());
    if (isPending) return;
    const sums = new DaySums();
    fill?.(sums);
    await toolbox.writes.execute(balances, id, { type: 'reconcile', day: sums.closed(place, rest) }, step());
  };
  const came = (value: bigint) => (sums: DaySums) =>
    sums.received({ txHash: TX, ordinal: 3, valueBaseUnits: value }, { column: 'credited', valueBaseUnits: value });
  const own = { merchantId: ONE, wallet: WALLET };
  await close({ ...own, day: '2026-09-01', opening: 0n, closing: 1_000_000n, fill: came(1_000_000n) });
  await close({ ...own, day: '2026-09-02', opening: 1_000_000n, closing: null });
  await close({ ...own, day: '2026-09-03', opening: null, closing: 5_000_000n });
  await close({ ...own, day: '2026-10-31', opening: null, closing: 5_000_000n });
  await close({ ...own, day: '2026-11-01', opening: 5_000_000n, closing: 7_500_000n, fill: came(2_500_000n) });
  await close({ ...own, day: '2026-11-02', opening: 7_500_000n, closing: 7_000_000n });
  await close({ ...own, day: '2026-11-30', opening: 7_000_000n, closing: 8_000_000n, fill: came(1_000_000n) });
  await close({ ...own, day: '2026-12-01', opening: 8_000_000n, closing: 9_000_000n, fill: came(1_000_000n) });
  await close({ ...own, day: '2026-12-02', opening: 9_000_000n, closing: 4_000_000n, isPending: true });
  await close({
    ...{ merchantId: OTHER, wallet: OTHER_WALLET, day: '2026-11-01', opening: 0n, closing: 10_000_000n },
    fill: sums => sums.received({ txHash: TX, ordinal: 3, valueBaseUnits: 10_000_000n }, { column: 'unknown' }),
  });
  await toolbox.close();
});
afterAll(() => cli.end());

it('names the days that differ or wait, and fails', async () => {
  const { exitCode, ...answer } = await cli.json('reconcile');
  expect(exitCode).toBe(1);
  expect(answer).toMatchObject({ balanced: 7, different: 2, pending: 1 });
  const { out } = await cli.run(['reconcile']);
  expect(out.split('\n')).toEqual([
    `2026-11-01  test  ${OTHER}  ${OTHER_WALLET}  usdc-base  different  10.000000`,
    `2026-11-02  test  ${ONE}  ${WALLET}  usdc-base  different  -0.500000`,
    `2026-12-02  test  ${ONE}  ${WALLET}  usdc-base  pending`,
    `2026-11-01 ${OTHER_WALLET}: unknown_transfer 10.000000 in ${TX} at log 3`,
    `2026-11-02 ${WALLET}: balance -0.500000`,
    '7 days are balanced, 2 differ, 1 are pending.',
    '',
  ]);
});

it('is done where no day of the span differs', async () => {
  const span = ['reconcile', '--merchant', ONE, '--from', '2026-11-30', '--to', '2026-11-30'];
  expect(await cli.run(span)).toMatchObject({
    exitCode: 0,
    out: '1 days are balanced, 0 differ, 0 are pending.\n',
  });
  const before = ['reconcile', '--merchant', OTHER, '--to', '2026-10-31'];
  expect(await cli.run(before)).toMatchObject({ exitCode: 0, out: '0 days are balanced, 0 differ, 0 are pending.\n' });
});

it('states a month by wallet and token, as CSV', async () => {
  const { exitCode, out } = await cli.run(['reconcile', 'statement', '--month', '2026-11']);
  expect(exitCode).toBe(0);
  const zero = '0.000000';
  expect(out.split('\n')).toEqual([
    HEADER,
    `2026-11,test,${ONE},${WALLET},base,usdc-base,5.000000,3.500000,${zero},${zero},${zero},${zero},-0.500000,8.000000,2,3,1,0`,
    `2026-11,test,${OTHER},${OTHER_WALLET},base,usdc-base,${zero},${zero},${zero},${zero},${zero},${zero},10.000000,10.000000,1,1,1,0`,
    '',
  ]);
  // The sums of a day that is pending are not known, so the month ends with the day before.
  const own = await cli.run(['reconcile', 'statement', '--month', '2026-12', '--merchant', ONE]);
  expect(own.out.split('\n').slice(1)).toEqual([
    `2026-12,test,${ONE},${WALLET},base,usdc-base,8.000000,1.000000,${zero},${zero},${zero},${zero},${zero},9.000000,1,2,0,1`,
    '',
  ]);
});

it('finds the difference of a month on whose days the balance was not known', async () => {
  const { out } = await cli.run(['reconcile', 'statement', '--month', '2026-09']);
  const zero = '0.000000';
  expect(out.split('\n').slice(1)).toEqual([
    `2026-09,test,${ONE},${WALLET},base,usdc-base,${zero},1.000000,${zero},${zero},${zero},${zero},4.000000,5.000000,1,3,0,0`,
    '',
  ]);
});

/** The lines that a PDF has for a row of the CSV. */
const linesFor = (row: Readonly<Record<string, string>>, wallet: string) => [
  'USDC on Base',
  wallet,
  `Opening balance\t${row.opening}`,
  `Credited to payments\t${row.credited}`,
  `Unmatched: no payment was found\t${row.unmatched}`,
  `Unrelated to payments\t${row.unrelated}`,
  `Dust\t${row.dust}`,
  `Sent\t${row.sent}`,
  `Difference\t${row.difference}`,
  `Closing balance\t${row.closing}`,
  `Days: ${row.days}, that differ: ${row.days_different}, pending: ${row.days_pending}. Transfers: ${row.transfers}.`,
];

it('states a month as a PDF, with the figures of the CSV', async () => {
  const file = join(cli.folder, 'november.pdf');
  const args = ['reconcile', 'statement', '--month', '2026-11'];
  const rows = parseCsv((await cli.run(args)).out);
  expect(await cli.run([...args, '--pdf', file])).toMatchObject({ exitCode: 0, out: `2 rows in ${file}.\n` });
  const pdf = readFileSync(file);
  lookAtPdf('a statement', pdf);
  expect(seenLines(pdf)).toEqual([
    'Statement of November 2026',
    'Days are those of UTC, and amounts are whole tokens.',
    'Closing = opening + credited + unmatched + unrelated + dust − sent + difference.',
    ...rows.flatMap(row => [`Merchant ${row.merchant}, test mode`, ...linesFor(row, `Wallet ${row.wallet}`)]),
    'Statement of November 2026, page 1 of 1',
  ]);
  await cli.run([...args, '--pdf', file]);
  expect(readFileSync(file).equals(pdf)).toBe(true);
});

it('adds up the wallets of a merchant in one token, without a float', async () => {
  const statement = new BooksStatement('2026-11');
  const huge = 10n ** 21n;
  const dayOf = (wallet: string, credited: bigint, opening: bigint | null) => ({
    ...({
      merchant_id: ONE,
      mode: 'live',
      network_id: 'base',
      wallet,
      token_id: 'usdc-base',
      day: '2026-11-01',
    } as const),
    ...({ status: 'balanced', differences: [], differences_in_all: 0, transfers: 2 } as const),
    ...{ unmatched_base_units: '1', unrelated_base_units: '0', dust_base_units: '0', sent_base_units: '3' },
    ...{ opening_base_units: opening === null ? null : opening.toString(), credited_base_units: credited.toString() },
    ...{ closing_base_units: (credited - 2n).toString(), difference_base_units: '0' },
  });
  statement.add(dayOf(WALLET, huge + 1n, 0n));
  statement.add(dayOf(SECOND_WALLET, huge + 2n, null));
  const [total, ...others] = statement.totals();
  expect(others).toEqual([]);
  expect(total).toMatchObject({
    ...{ wallet: '', opening: '', credited: '2000000000000000.000003', unmatched: '0.000002', sent: '0.000006' },
    ...{ closing: '1999999999999999.999999', transfers: '4', days: '2' },
  });
  const lines = seenLines(await statementPdf(statement));
  const facts = total ? linesFor({ ...total, opening: 'not observed' }, 'All wallets together') : [];
  expect(lines.slice(lines.indexOf('All wallets together') - 1, -1)).toEqual(facts);
});

it('tells in the PDF where no balance was observed, and where nothing is told', async () => {
  const file = join(cli.folder, 'other.pdf');
  await cli.run(['reconcile', 'statement', '--month', '2026-10', '--merchant', ONE, '--pdf', file]);
  expect(seenLines(readFileSync(file))).toContain('Opening balance\tnot observed');
  const told = await cli.json('reconcile', 'statement', '--month', '2027-01', '--pdf', file);
  expect(told).toEqual({ month: '2027-01', wallets: [], file, exitCode: 0 });
  expect(seenLines(readFileSync(file))).toContain('No wallet has a day of this month.');
});

it('leaves no part of a statement whose file cannot be written', async () => {
  writeFileSync(join(cli.folder, 'a file'), '');
  const file = join(cli.folder, 'a file', 'november.pdf');
  const { exitCode, err } = await cli.run(['reconcile', 'statement', '--month', '2026-11', '--pdf', file]);
  expect({ exitCode, err }).toMatchObject({ exitCode: 1, err: expect.stringContaining('cannot be written') });
  expect(existsSync(file)).toBe(false);
});

it.each([
  ['a day that is none', ['reconcile', '--from', '2026-02-30']],
  ['a month that is none', ['reconcile', 'statement', '--month', '2026-13']],
  ['no merchant', ['reconcile', '--merchant', 'shop']],
  ['a statement of no month', ['reconcile', 'statement']],
])('misuse: %s', async (_name, args) => {
  expect((await cli.run(args)).exitCode).toBe(2);
});

it('refuses a span that ends before it begins', async () => {
  const { exitCode, err } = await cli.run(['reconcile', '--from', '2026-11-02', '--to', '2026-11-01']);
  expect({ exitCode, err }).toMatchObject({ exitCode: 1, err: expect.stringContaining('invalid_range') });
});
