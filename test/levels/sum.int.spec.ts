import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '..', '..');
const JEST = path.join(ROOT, 'node_modules', 'jest');
/** Jest by the arguments of each run, one run after the other: most of a run's time goes into loading jest. */
const RUNS = `(async () => {
  const { run } = require(${JSON.stringify(JEST)});
  for (const args of JSON.parse(process.argv[1])) await run(args);
})();`;
const LIMIT_MS = 60_000;

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'quittance-sum-'));
  const config = 'module.exports = { testRegex: "[.]spec[.]js$", transform: {} };';
  writeFileSync(path.join(folder, 'jest.config.cjs'), config);
});
afterAll(() => rmSync(folder, { recursive: true }));

function run(args: readonly string[], cwd: string) {
  return spawnSync(process.execPath, args, { cwd, encoding: 'utf8', env: { PATH: process.env.PATH } });
}

type Sources = Readonly<Record<string, string>>;

/** Writes jest's report of a run of each folder of sources. */
function report(folders: Readonly<Record<string, Sources>>): void {
  for (const [name, sources] of Object.entries(folders)) {
    mkdirSync(path.join(folder, name));
    for (const [each, source] of Object.entries(sources))
      writeFileSync(path.join(folder, name, `${each}.spec.js`), source);
  }
  const cache = ['--cacheDirectory', path.join(folder, 'cache')];
  const runs = Object.keys(folders).map(name => [
    '-i',
    '--json',
    '--outputFile',
    reportOf(name),
    ...cache,
    `/${name}/`,
  ]);
  run(['-e', RUNS, JSON.stringify(runs)], folder);
}

const reportOf = (name: string): string => path.join(folder, `${name}.json`);

function sum(...files: readonly string[]) {
  const { status, stdout } = run([path.join(ROOT, '.ci', 'sum.mjs'), ...files], ROOT);
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
    const counted = COUNTED.map(([, file, more]) => [file, `${PASSES}\n${more}`] as const);
    const others = { fails: `${PASSES}\n${FAILS}`, unloaded: `${PASSES}\nthrow new Error('no');` };
    report({ good: { one: PASSES }, bad: { ...Object.fromEntries(counted), ...others } });
    good = reportOf('good');
    bad = sum(good, reportOf('bad'));
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
