import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '..', '..');
const JEST = path.join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js');
const LIMIT_MS = 60_000;

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'quittance-sum-'));
  const config = 'module.exports = { testRegex: "[.]spec[.]js$", transform: {} };';
  writeFileSync(path.join(folder, 'jest.config.cjs'), config);
});
afterAll(() => rmSync(folder, { recursive: true }));

function run(program: string, args: readonly string[], cwd: string) {
  return spawnSync(process.execPath, [program, ...args], { cwd, encoding: 'utf8', env: { PATH: process.env.PATH } });
}

/** Writes jest's report of one run of these sources. */
function resultOf(name: string, sources: Readonly<Record<string, string>>): string {
  mkdirSync(path.join(folder, name));
  for (const [each, source] of Object.entries(sources))
    writeFileSync(path.join(folder, name, `${each}.spec.js`), source);
  const file = path.join(folder, `${name}.json`);
  const cache = path.join(folder, 'cache');
  run(JEST, ['-i', '--json', '--outputFile', file, '--cacheDirectory', cache, `/${name}/`], folder);
  return file;
}

function sum(...files: readonly string[]) {
  const { status, stdout } = run(path.join(ROOT, '.ci', 'sum.mjs'), files, ROOT);
  const lines = stdout.trimEnd().split('\n');
  return { status, last: lines.at(-1), lines };
}

const PASSES = `it('a', () => {}); it('b', () => {});`;
const FAILS = `describe('d', () => { it('fails', () => { expect(1).toBe(2); }); });`;

/** The lines that tell of each file, without the file's place. */
const COUNTED: readonly (readonly [name: string, file: string, more: string, lines: readonly string[]])[] = [
  ['that is skipped', 'skip', `it.skip('c', () => {});`, ['skipped: c']],
  [
    'of a skipped group',
    'group',
    `describe.skip('d', () => { it('c', () => {}); it('e', () => {}); });`,
    ['skipped: d c', 'skipped: d e'],
  ],
  ['that is planned', 'todo', `it.todo('c');`, ['skipped: c']],
  [
    'that another one keeps from running',
    'only',
    `it('c', () => {}); it.only('d', () => {});`,
    ['skipped: a', 'skipped: b', 'skipped: c'],
  ],
];

describe('the sum', () => {
  let good: string;
  let bad: ReturnType<typeof sum>;

  beforeAll(() => {
    good = resultOf('good', { one: PASSES });
    const counted = COUNTED.map(([, file, more]) => [file, `${PASSES}\n${more}`] as const);
    const others = { fails: `${PASSES}\n${FAILS}`, unloaded: `${PASSES}\nthrow new Error('no');` };
    bad = sum(good, resultOf('bad', { ...Object.fromEntries(counted), ...others }));
  }, LIMIT_MS);

  const linesOf = (file: string): readonly string[] =>
    bad.lines.filter(line => line.includes(`/${file}.spec.js: `)).map(line => line.replace(/ \S*\.spec\.js:/, ''));

  it('is that of two runs', () => {
    expect(sum(good, good)).toMatchObject({ status: 0, last: '4 passed, 0 failed' });
  });

  it.each(COUNTED)('counts as failed a test %s', (_name, file, _more, lines) => {
    expect(linesOf(file)).toEqual(lines);
  });

  it('names a test that failed with what was expected', () => {
    expect(linesOf('fails')).toEqual([
      expect.stringMatching(/^failed: d fails: Error: expect\(.*Expected: 2 \| Received: 1$/),
    ]);
  });

  it('counts as failed a test of a file that does not load', () => {
    expect(linesOf('unloaded')).toEqual([]);
    expect(bad.lines).toContain('1 files could not be run');
  });

  it('counts each of them once, among those that passed', () => {
    const named = COUNTED.flatMap(([, , , lines]) => lines).length;
    expect(bad.lines).toHaveLength(named + 3);
    expect(bad).toMatchObject({ status: 1, last: `11 passed, ${named + 2} failed` });
  });

  it('counts as failed a run that left no result', () => {
    expect(sum(path.join(folder, 'none.json'))).toMatchObject({ status: 1, last: '0 passed, 1 failed' });
  });
});
