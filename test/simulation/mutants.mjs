// Does the simulation bite? `node test/simulation/mutants.mjs [words of a name]` makes each change of the list in a
// copy of the sources, and runs the simulation there: a mutant that no seed catches survives. With TESTS=near it runs
// the tests near the change instead.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { MUTANTS } from './mutant-list.mjs';

const COPIED = [
  'src', 'projections', 'web', 'clients', 'bench', 'test', 'docs', 'package.json', 'tsconfig.json', 'jest.config.cjs',
]; // prettier-ignore
const SIMULATION = ['test/simulation/simulation.search.spec.ts'];
/** The levels of near tests, in their order: most mutants are caught by the first one, in a tenth of the time. */
const NEAR_LEVELS = [['unit'], ['int', 'search']];
const RUNS = process.env.SIMULATION_RUNS ?? '200';
/** A test of ten thousand invoices tells of each that differs. */
const MOST_OUTPUT_BYTES = 256 * 1024 * 1024;
const LONGEST_RUN_MS = Math.max(600_000, 10_000 * Number(RUNS));

const root = resolve(import.meta.dirname, '../..');
const words = process.argv.slice(2).join(' ');
const isNear = process.env.TESTS === 'near';
const chosen = MUTANTS.filter(([name]) => name.includes(words));
// All mutants are looked up before the first one runs: a change of the sources that leaves a mutant behind must not
// pass unseen.
for (const [name, file, text] of MUTANTS) {
  if (readFileSync(join(root, file), 'utf8').split(text).length !== 2)
    throw new Error(`${file} does not hold the text of "${name}" exactly once`);
}
const copy = mkdtempSync(join(tmpdir(), 'mutants-'));
process.exitCode = 0;
try {
  for (const name of COPIED) cpSync(join(root, name), join(copy, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  let caught = 0;
  for (const [name, file, text, replacement, tests] of chosen) {
    const original = readFileSync(join(root, file), 'utf8');
    writeFileSync(
      join(copy, file),
      original.replace(text, () => replacement),
    );
    const verdict = isNear ? nearVerdictOf(tests.split(' ')) : verdictOf(SIMULATION);
    writeFileSync(join(copy, file), original);
    if (verdict !== null) caught += 1;
    console.log(verdict === null ? `SURVIVED  ${name}` : `caught    ${name}: ${verdict}`);
  }
  console.log(`${caught} of ${chosen.length} caught`);
  if (caught < chosen.length) process.exitCode = 1;
} finally {
  rmSync(copy, { recursive: true, force: true });
}

/** The first thing that the near tests find, level by level; null where all pass. */
function nearVerdictOf(tests) {
  for (const levels of NEAR_LEVELS) {
    const verdict = verdictOf(['--passWithNoTests', '--selectProjects', ...levels, '--testPathPatterns', ...tests]);
    if (verdict !== null) return verdict;
  }
  return null;
}

/** The first thing found; null where all passes. */
function verdictOf(tests) {
  const jest = join(copy, 'node_modules/jest/bin/jest.js');
  const env = { ...process.env, SIMULATION_RUNS: RUNS };
  const options = { cwd: copy, encoding: 'utf8', timeout: LONGEST_RUN_MS, maxBuffer: MOST_OUTPUT_BYTES, env };
  const { status, stderr, error } = spawnSync(process.execPath, [jest, '--bail', '--runInBand', ...tests], options);
  // A machine that is busy with other work must not pass for a mutant that is caught.
  if (error) throw new Error(`no verdict: ${error.message}`);
  if (status === 0) return null;
  if (
    stderr.includes('Test suite failed to run') ||
    stderr.includes('Exceeded timeout') ||
    stderr.includes('Validation Error')
  )
    throw new Error(`no verdict: ${stderr}`);
  const found = /● .*\n\n\s*(seed \d+:\n.*|.*)/.exec(stderr)?.[1] ?? 'ended otherwise';
  return found.replace(/\s+/g, ' ').slice(0, 160);
}
