import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { LESS_CLEARING } from '../../bin/build-when-stale.cjs';
import { carryOut, commandsOf, names, recipesOf } from './recipes';
import { searchSize } from './search-size';

const ROOT = path.resolve(__dirname, '..', '..');
const LEFT_BEHIND = ['node_modules', '.git', 'dist', 'data'];
const TYPECHECK = 'npm run typecheck';
const SCRIPT = /`npm run ([a-z:]+)`/g;
/** The checks that hold a recipe's end against the rest of the house, whichever files it has changed. */
const NEAR = [
  'test/kernel/event-fixtures.unit.spec.ts',
  'test/platform/docs/pages.unit.spec.ts',
  'test/platform/docs/access-matrix.int.spec.ts',
  'test/error-codes/reached.unit.spec.ts',
  'test/clients/generated.int.spec.ts',
  'test/platform/config/config.unit.spec.ts',
];
const NEAR_RUN = NEAR.slice(0, searchSize('RECIPE_TESTS', { small: 0, full: NEAR.length }));
/** Scripts that follow the recipes' edits. */
const SCRIPTS = ['client:generate', 'typecheck', 'examples:record', 'contract:record', 'docs:generate'];
const SCRIPTS_RUN = SCRIPTS.slice(0, searchSize('RECIPE_SCRIPTS', { small: 0, full: SCRIPTS.length })).sort();
/** Without it, the recipes are carried out in one go. */
const IS_NAMING_RUN = NEAR_RUN.length === NEAR.length;
/** A run of few tests leaves out those that load the whole service, which nothing has transformed in the copy yet. */
const OWN_RUN = IS_NAMING_RUN ? /\.spec\.ts$/ : /\.unit\.spec\.ts$/;
const LIMIT_MS = 300_000;

const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');
const RECIPES = recipesOf(read('CONTRIBUTING.md'), read('docs/recipes.md'));
const STEPS = RECIPES.flatMap(({ name, steps }) =>
  steps.map((step, index) => ({ ...step, title: `${name}, step ${index + 1}` })),
);

const COMMANDS = commandsOf(read('CONTRIBUTING.md'), 'How to run one test');
const COMMANDS_RUN = COMMANDS.slice(0, searchSize('RECIPE_COMMANDS', { small: 0, full: COMMANDS.length }));
/** Small searches carry the recipes out, and start nothing in the copy, which then holds the changed files alone. */
const ARE_PROGRAMS_RUN = NEAR_RUN.length + SCRIPTS_RUN.length + COMMANDS_RUN.length > 0;

/** Steps after which the compiler names the remaining ones. */
const isNaming = (text: string): boolean => text.includes(`\`${TYPECHECK}\`: the compiler names`);
const isBefore = (index: number, steps: readonly { readonly text: string }[]): boolean =>
  steps.findIndex(({ text }) => isNaming(text)) > index;

let copy: string;

function run(...command: readonly string[]): { readonly status: number | null; readonly output: string } {
  const [program = '', ...args] = command;
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, CI: '1', NO_COLOR: '1', ...LESS_CLEARING };
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: copy, encoding: 'utf8', env });
  return { status, output: `${stdout}${stderr}` };
}

beforeAll(() => {
  copy = mkdtempSync(path.join(tmpdir(), 'quittance-recipes-'));
  if (ARE_PROGRAMS_RUN) copyAll();
  else copyChanged();
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

function copyAll(): void {
  const isCopied = (from: string): boolean => !LEFT_BEHIND.includes(path.relative(ROOT, from));
  cpSync(ROOT, copy, { recursive: true, filter: isCopied });
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(copy, 'node_modules'));
  // The service that answers for the generated files reads its pages at the start.
  run('node', path.join('web', 'build.mjs'));
  // One thread of the compiler takes half of the processor time of several. The build leaves the types of the very same
  // sources to the check of types, which is the last script.
  const scripts = read('package.json')
    .replaceAll('/bin/tsc ', '/bin/tsc --singleThreaded ')
    .replace(' -p tsconfig.build.json', ' --noCheck -p tsconfig.build.json');
  writeFileSync(path.join(copy, 'package.json'), scripts);
}

function copyChanged(): void {
  const changed = STEPS.flatMap(({ edits }) => edits).filter(({ before }) => before !== null);
  for (const file of ['package.json', ...changed.map(edit => edit.file)])
    cpSync(path.join(ROOT, file), path.join(copy, file));
}

it.each(STEPS.filter(({ text }) => !isNaming(text)))('$title names each file that it changes', ({ text, edits }) => {
  expect(edits.map(({ file }) => file).filter(file => !names(text, file))).toStrictEqual([]);
});

it('a change whose place is gone, or is not the only one, is not carried out', () => {
  const gone = { file: 'package.json', before: 'no such line\n', after: '' };
  expect(() => carryOut(copy, gone)).toThrow('package.json holds 0 times');
  expect(() => carryOut(copy, { ...gone, before: '  },\n' })).toThrow('times, not once');
  expect(() => carryOut(copy, { ...gone, before: null })).toThrow('EEXIST');
});

it.each(COMMANDS)('%s names a script of the package, or a place of tests', command => {
  const [, script, place = ''] = /^npm run (\S+)|^npx jest (\S+)/.exec(command) ?? [];
  const { scripts } = JSON.parse(read('package.json')) as { readonly scripts: object };
  expect(script === undefined ? existsSync(path.join(ROOT, place)) : script in scripts).toBe(true);
});

if (COMMANDS_RUN.length > 0) it.each(COMMANDS_RUN)('%s finds tests, and they pass', command => {
  const { status, output } = run('sh', '-c', command);
  expect(output).toMatch(/^Tests: +(?:\d+ skipped, )?[1-9]\d* passed, \d+ total$/m);
  expect(status).toBe(0);
}, LIMIT_MS); // prettier-ignore

function carryOutAll(isChosen: (index: number, steps: readonly { readonly text: string }[]) => boolean): void {
  for (const { steps } of RECIPES) {
    const chosen = steps.filter((_, index) => isChosen(index, steps));
    for (const edit of chosen.flatMap(({ edits }) => edits)) carryOut(copy, edit);
  }
}

// One test after the other: each goes on in the copy that the one before it has left.
if (IS_NAMING_RUN) it('the compiler names what each event and network still lacks', () => {
  carryOutAll(isBefore);
  const { output } = run('npm', 'run', '--silent', 'typecheck', '--', '--pretty', 'false');
  const found = [...output.matchAll(/^(\S+\.ts)\(\d+,\d+\): error/gm)].map(([, file]) => file);
  const lacking = STEPS.filter(({ text }) => isNaming(text)).flatMap(({ edits }) => edits.map(({ file }) => file));
  // The compiler also names the callers of the client, which is generated at the end.
  expect(lacking.length).toBeGreaterThan(0);
  expect(lacking.filter(file => !found.includes(file))).toStrictEqual([]);
}, LIMIT_MS); // prettier-ignore

it('each recipe is carried out to its end, and its scripts accept it', () => {
  if (!IS_NAMING_RUN) carryOutAll(isBefore);
  carryOutAll((index, steps) => !isBefore(index, steps));
  const named = STEPS.flatMap(({ text }) => [...text.matchAll(SCRIPT)]);
  const scripts = new Set(named.map(([, script]) => script as string));
  expect([...scripts].sort()).toStrictEqual([...SCRIPTS].sort());
  // Generated files are typed as well, so the types come last.
  for (const script of SCRIPTS_RUN) {
    const { status, output } = run('npm', 'run', '--silent', script);
    if (status !== 0) throw new Error(output);
  }
}, LIMIT_MS); // prettier-ignore

if (NEAR_RUN.length > 0) it('the tests near each of them pass', () => {
  const own = STEPS.flatMap(({ edits }) => edits.map(({ file }) => file)).filter(file => OWN_RUN.test(file));
  const jest = path.join('node_modules', 'jest', 'bin', 'jest.js');
  const { status, output } = run(process.execPath, ...process.execArgv, jest, '--runInBand', '--runTestsByPath', ...new Set([...NEAR_RUN, ...own]));
  if (status !== 0) throw new Error(output);
}, LIMIT_MS); // prettier-ignore
