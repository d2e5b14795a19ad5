import 'reflect-metadata';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CliSession } from './cli-support';

const LIST = join(__dirname, '..', 'platform', 'screening', 'sdn-advanced-sample.xml');
const SERVERS = {
  EVENTSTORE_URL: 'esdb://127.0.0.1:1?tls=false',
  MONGODB_URL: 'mongodb://127.0.0.1:1/quittance?serverSelectionTimeoutMS=50',
};
const create = [
  'merchant',
  'create',
  '--name',
  'Corner Shop',
  '--email',
  'a@example.com',
  '--password',
  'seven green lanterns at dusk',
];

let cli: CliSession;
let root: string;
let elsewhere: string;
let env: Readonly<Record<string, string>>;

beforeEach(() => {
  cli = new CliSession();
  root = mkdtempSync(join(tmpdir(), 'quittance-elsewhere-'));
  elsewhere = join(root, 'data');
  env = { NODE_ENV: 'test', DATA_FOLDER: elsewhere };
});
afterEach(() => {
  cli.end();
  rmSync(root, { recursive: true });
});

it.each([
  [['projections', 'status']],
  [['audit', 'verify']],
  [['replay', 'test.payment_intent-pi_none']],
  [['coverage']],
  [['exchange-wallets', 'import', 'list.json']],
  [create],
])('%j in the wrong folder makes nothing, and says where it looked', async args => {
  const { exitCode, out, err } = await cli.run(args, '', env);
  expect({ exitCode, out }).toStrictEqual({ exitCode: 2, out: '' });
  expect(err).toMatch(/^invalid_config: Looked in .*\n$/);
  expect(err).toContain(`${elsewhere} and found no quittance.sqlite`);
  expect(existsSync(elsewhere)).toBe(false);
});

it('makes no key either, where servers hold the data', async () => {
  const { exitCode, err } = await cli.run(['projections', 'status'], '', { ...env, ...SERVERS });
  expect(exitCode).toBe(2);
  expect(err).toContain(`${elsewhere} and found no secret.key`);
  expect(existsSync(elsewhere)).toBe(false);
});

it('makes new data for a first merchant where it is told to, and only there', async () => {
  expect((await cli.run([...create, '--new-data'], '', env)).exitCode).toBe(0);
  expect(readdirSync(elsewhere)).toEqual(expect.arrayContaining(['quittance.sqlite', 'secret.key']));
  expect((await cli.run(['projections', 'status'], '', env)).exitCode).toBe(0);
  expect((await cli.run(['projections', 'status', '--new-data'], '', env)).exitCode).toBe(2);
});

it.each([
  [['audit', 'verify'], { exitCode: 0 }],
  [['sandbox', 'stop'], { exitCode: 0 }],
])('%j warns on standard error of a variable that nothing reads', async (args, expected) => {
  const { err, ...ran } = await cli.run(args, '', { ...cli.env, DATA_FOLDR: '/elsewhere' });
  expect(ran).toMatchObject(expected);
  expect(err.split('\n').filter(line => line !== '')).toHaveLength(1);
  expect(JSON.parse(err)).toMatchObject({
    variable: 'DATA_FOLDR',
    resembles: 'DATA_FOLDER',
    msg: 'nothing reads this variable: its name may be misspelt',
  });
});

it('warns of a misspelt folder before it refuses the one where it looked', async () => {
  const { err } = await cli.run(['projections', 'status'], '', { ...env, DATA_FOLDR: cli.folder });
  expect(err).toMatch(/^\{.*"resembles":"DATA_FOLDER".*\}\ninvalid_config: Looked in .*\n$/);
});

it('needs no data for a list of sanctions, and for the end of local chains', async () => {
  const target = join(root, 'sanctions.json');
  expect(await cli.run(['sanctions', 'import', LIST], '', { ...env, SANCTIONS_LIST_FILE: target })).toMatchObject({
    exitCode: 0,
  });
  const stopped = await cli.run(['sandbox', 'stop'], '', env);
  expect(stopped).toMatchObject({ exitCode: 0, out: `No local chain of ${elsewhere} was running.\n` });
  expect(existsSync(elsewhere)).toBe(false);
});
