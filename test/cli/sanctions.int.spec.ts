import 'reflect-metadata';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { runProgram } from '../../src/cli/program';
import { CliSession } from './cli-support';

const SAMPLE = path.join(__dirname, '..', 'platform', 'screening', 'sdn-advanced-sample.xml');
const BAD = '0x5a9c710Ed0000000000000000000000000000002';

let cli: CliSession;
let target: string;

beforeEach(() => {
  cli = new CliSession();
  target = path.join(cli.folder, 'sanctions.json');
});

afterEach(() => cli.end());

async function run(args: readonly string[], env: Readonly<Record<string, string>> = { SANCTIONS_LIST_FILE: target }) {
  const written = { out: '', err: '' };
  const exitCode = await runProgram(['sanctions', 'import', ...args], {
    env: { ...cli.env, ...env },
    out: text => void (written.out += text),
    err: text => void (written.err += text),
    user: 'alice',
    isInteractive: false,
    readLine: () => Promise.resolve(''),
    signal: new AbortController().signal,
  });
  return { exitCode, ...written };
}

it('imports the published file and says what it came to', async () => {
  expect(await run([SAMPLE])).toEqual({
    exitCode: 0,
    out: `1 EVM and 2 TRON addresses of ofac-sdn, as of 2026-11-03: 3 new, 0 gone.\n1 addresses are of other chains.\nWritten to ${target}.\n`,
    err: '',
  });
  const { out } = await run([SAMPLE, '--json']);
  expect(JSON.parse(out)).toMatchObject({ file: target, source: 'ofac-sdn', evm: 1, tron: 2, added: 0, removed: 0 });
});

it('names bad addresses, imports nothing, and the others when told to', async () => {
  const list = path.join(cli.folder, 'own.txt');
  writeFileSync(list, `${BAD.toLowerCase()}\n${BAD}\n`);
  const refused = await run([list, '--source', 'own']);
  expect(refused).toMatchObject({ exitCode: 1, err: '' });
  expect(refused.out).toBe(
    `${list}, line 2: ${BAD} fails its checksum\nNothing was imported: put them right, or leave them out with --skip-invalid.\n`,
  );
  expect(existsSync(target)).toBe(false);
  expect(await run([list, '--source', 'own', '--skip-invalid'])).toMatchObject({ exitCode: 0 });
  expect(readFileSync(target, 'utf8')).toContain('"list_source":"own"');
});

it('names a file that is no list, with its line', async () => {
  const list = path.join(cli.folder, 'sdn.xml');
  writeFileSync(list, '<!-- a list -->\n<!DOCTYPE Sanctions>\n<Sanctions/>');
  expect(await run([list])).toMatchObject({
    exitCode: 1,
    out: '',
    err: `invalid_sanctions_entry: ${list}, line 2: a document type is refused. (file)\n`,
  });
});

it('wants to know which file the service screens by', async () => {
  const { exitCode, err } = await run([SAMPLE], {});
  expect(exitCode).toBe(2);
  expect(err).toContain('SANCTIONS_LIST_FILE');
});
