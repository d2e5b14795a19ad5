import 'reflect-metadata';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ALL_PROJECTIONS } from '../../projections/all';
import { ProjectionRunner } from '../../projections/runner/projection-runner';
import { parseCsv } from '../../src/cli/csv';
import { runProgram } from '../../src/cli/program';
import { openToolbox } from '../../src/cli/toolbox';
import { createdAt, exportedPaymentId, putPayments } from '../support/export-documents';
import { CliSession } from './cli-support';

const COUNT = 250;
const LIMIT_MS = 60_000;

let cli: CliSession;
let merchantId: string;
let folder: string;

beforeAll(async () => {
  cli = new CliSession();
  folder = join(cli.folder, 'exports');
  mkdirSync(folder);
  const create = [
    'merchant',
    'create',
    '--name',
    'Shop',
    '--email',
    'a@example.com',
    '--password',
    'seven lanterns up',
  ];
  ({ merchant_id: merchantId } = await cli.json<{ merchant_id: string }>(...create));
  const toolbox = await openToolbox(cli.env, () => undefined, 'alice');
  const runner = new ProjectionRunner({ ...toolbox, projections: ALL_PROJECTIONS });
  runner.start();
  const head = await toolbox.store.lastPosition();
  await Promise.all(ALL_PROJECTIONS.map(({ name }) => runner.waitFor(name, head, LIMIT_MS)));
  await runner.stop();
  await putPayments(toolbox.documents, { merchantId }, COUNT);
  await toolbox.close();
}, LIMIT_MS);
afterAll(() => cli.end());

const argsOf = (kind: string, file: string, ...more: readonly string[]) =>
  ['export', kind, '--merchant', merchantId, '--mode', 'test', '--out', join(folder, file), ...more] as const;
const textOf = (file: string): string => readFileSync(join(folder, file), 'utf8');

it('writes a whole list to a file, and tells how many rows it has', async () => {
  const told = await cli.json(...argsOf('payments', 'payments.csv'));
  const file = join(folder, 'payments.csv');
  const facts = { kind: 'payments', merchant_id: merchantId, mode: 'test', format: 'csv', file, rows: COUNT };
  expect(told).toEqual({ ...facts, exitCode: 0 });
  const ids = parseCsv(textOf('payments.csv')).map(({ id }) => id);
  const places = Array.from({ length: COUNT }, (_, place) => COUNT - 1 - place);
  expect(ids).toEqual(places.map(place => exportedPaymentId(place, { merchantId })));
});

it('takes the place of an earlier file once it is whole', async () => {
  writeFileSync(join(folder, 'again.jsonl'), 'old');
  const { exitCode, out } = await cli.run(argsOf('transfers', 'again.jsonl', '--format', 'jsonl'));
  expect([exitCode, out]).toEqual([0, `${COUNT} rows in ${join(folder, 'again.jsonl')}.\n`]);
  const lines = textOf('again.jsonl').trimEnd().split('\n');
  expect(lines.map(line => JSON.parse(line) as object)).toHaveLength(COUNT);
});

it('takes moments, and days as a whole', async () => {
  const [from, to] = [createdAt(10), createdAt(19)];
  expect(await cli.json(...argsOf('payments', 'some.csv', '--from', from, '--to', to))).toMatchObject({ rows: 10 });
  const day = createdAt(0).slice(0, 10);
  expect(await cli.json(...argsOf('payments', 'day.csv', '--from', day, '--to', day))).toMatchObject({ rows: COUNT });
  expect(await cli.json(...argsOf('payments', 'none.csv', '--to', '2020-01-01'))).toMatchObject({ rows: 0 });
  expect(await cli.json(...argsOf('payments', 'live.csv', '--mode', 'live'))).toMatchObject({ rows: 0 });
  expect(textOf('none.csv')).toMatch(/^id,[^\n]*\r\n$/);
});

it.each([
  [['--from', 'yesterday'], 'invalid_timestamp', '--from'],
  [['--from', '2026-10-02', '--to', '2026-10-01'], 'invalid_range', '--from'],
  [['--merchant', 'mch_00000000000000000000000000'], 'merchant_not_found', '--merchant'],
  [['--out', '/nowhere/at/all.csv'], 'parameter_invalid', '--out'],
])('refuses %j and leaves no file', async (more, code, param) => {
  const { exitCode, out, err } = await cli.run([...argsOf('payments', 'refused.csv', ...more), '--json']);
  expect([exitCode, out]).toEqual([1, '']);
  expect(JSON.parse(err)).toMatchObject({ error: { code, param } });
  expect(readdirSync(folder).filter(name => name.startsWith('refused'))).toEqual([]);
});

it.each([
  [['export', 'wallets', '--merchant', 'mch_1', '--mode', 'test', '--out', 'x'], 'payments'],
  [['export', 'payments', '--mode', 'test', '--out', 'x'], '--merchant'],
  [['export', 'payments', '--merchant', 'mch_1', '--out', 'x'], '--mode'],
  [['export', 'payments', '--merchant', 'mch_1', '--mode', 'test'], '--out'],
])('is misused as %j', async (args, named) => {
  const { exitCode, err } = await cli.run(args);
  expect(exitCode).toBe(2);
  expect(err).toContain(named);
});

it('leaves no file where it is interrupted', async () => {
  const interruption = new AbortController();
  interruption.abort(new Error('interrupted'));
  let err = '';
  const exitCode = await runProgram(argsOf('payments', 'interrupted.csv'), {
    env: cli.env,
    out: () => undefined,
    err: text => void (err += text),
    user: 'alice',
    isInteractive: false,
    readLine: () => Promise.resolve(''),
    signal: interruption.signal,
  });
  expect([exitCode, err]).toEqual([1, 'failed: interrupted\n']);
  expect(readdirSync(folder).filter(name => name.startsWith('interrupted'))).toEqual([]);
});

it('shows how far it is where it takes longer than two seconds', async () => {
  const now = Date.now.bind(Date);
  let looks = 0;
  const clock = jest.spyOn(Date, 'now').mockImplementation(() => now() + (looks += 1) * 1_000);
  let err = '';
  const exitCode = await runProgram(argsOf('payments', 'slow.csv'), {
    env: cli.env,
    out: () => undefined,
    err: text => void (err += text),
    user: 'alice',
    isInteractive: true,
    readLine: () => Promise.resolve(''),
    signal: new AbortController().signal,
  });
  clock.mockRestore();
  expect(exitCode).toBe(0);
  const shares = [...err.matchAll(/exporting payments [█░]{30} (\d+) %/g)].map(([, share]) => Number(share));
  expect(shares.length).toBeGreaterThan(1);
  expect(shares.at(-1)).toBe(100);
  expect(shares).toEqual([...shares].sort((one, other) => one - other));
  expect(err.endsWith('\r\x1b[K')).toBe(true);
});

it('shows how to use it by an example', async () => {
  const { exitCode, out } = await cli.run(['export', '--help']);
  expect(exitCode).toBe(0);
  expect(out).toContain('npx quittance export payments --merchant mch_');
  expect(existsSync(join(folder, 'october.csv'))).toBe(false);
});
