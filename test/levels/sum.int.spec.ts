import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '..', '..');
const JEST = path.join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js');
const LIMIT_MS = 60_000;

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'quittance-sum-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function run(program: string, args: readonly string[], cwd: string) {
  return spawnSync(process.execPath, [program, ...args], { cwd, encoding: 'utf8', env: { PATH: process.env.PATH } });
}

/** Writes jest's report of a run of this source. */
function resultOf(name: string, source: string): string {
  const config = 'module.exports = { testRegex: "[.]spec[.]js$", transform: {} };';
  writeFileSync(path.join(folder, 'jest.config.cjs'), config);
  writeFileSync(path.join(folder, `${name}.spec.js`), source);
  const file = path.join(folder, `${name}.json`);
  run(JEST, ['--json', '--outputFile', file, '--cacheDirectory', path.join(folder, 'cache'), name], folder);
  return file;
}

function sum(...files: readonly string[]) {
  const { status, stdout } = run(path.join(ROOT, '.ci', 'sum.mjs'), files, ROOT);
  return { status, last: stdout.trimEnd().split('\n').at(-1), stdout };
}

const PASSES = `it('a', () => {}); it('b', () => {});`;

it(
  'sums two runs',
  () => {
    const [one, other] = [resultOf('one', PASSES), resultOf('other', `it('c', () => {});`)];
    expect(sum(one, other)).toMatchObject({ status: 0, last: '3 passed, 0 failed' });
  },
  LIMIT_MS,
);

it.each([
  ['that fails', `it('c', () => { throw new Error('no'); });`, 1],
  ['that is skipped', `it.skip('c', () => {});`, 1],
  ['of a skipped group', `describe.skip('d', () => { it('c', () => {}); it('e', () => {}); });`, 2],
  ['that is planned', `it.todo('c');`, 1],
  ['that another one keeps from running', `it('c', () => {}); it.only('d', () => {});`, 3],
  ['of a file that does not load', `throw new Error('no');`, 1],
])(
  'counts as failed a test %s',
  (_name, more, failed) => {
    const { status, last } = sum(resultOf('one', `${PASSES}\n${more}`));
    expect(status).toBe(1);
    expect(last).toMatch(new RegExp(`^\\d passed, ${failed} failed$`));
  },
  LIMIT_MS,
);

it(
  'names a test that failed with what was expected, shortly before the sum',
  () => {
    const failing = `describe('d', () => { it('fails', () => { expect(1).toBe(2); }); });`;
    const lines = sum(resultOf('one', `${PASSES}\n${failing}`))
      .stdout.trimEnd()
      .split('\n');
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(/^failed: .*one\.spec\.js: d fails: Error: expect\(.*Expected: 2 \| Received: 1$/);
  },
  LIMIT_MS,
);

it('counts as failed a run that left no result', () => {
  expect(sum(path.join(folder, 'none.json'))).toMatchObject({ status: 1, last: '0 passed, 1 failed' });
});
