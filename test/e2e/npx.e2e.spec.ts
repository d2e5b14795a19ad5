import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { quickStartPath } from '../support/service-process';

const ROOT = path.resolve(__dirname, '..', '..');
const MERCHANT = ['merchant', 'create', '--new-data', '--name', 'Shop', '--email', 'owner@example.com'];
const LIMIT_MS = 120_000;

let folder: string;
let PATH: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'quittance-npx-'));
  PATH = quickStartPath(folder);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The command as its user runs it, without a registry and without anything that npm has kept. */
const npx = (cwd: string, ...args: readonly string[]) => run(cwd, 'npx', ['quittance', ...args]);
/** The program that npx finds, without the time that npm takes to find it. */
const found = (cwd: string, ...args: readonly string[]) =>
  run(cwd, process.execPath, [path.join('bin', 'quittance.mjs'), ...args]);

function run(cwd: string, program: string, args: readonly string[]) {
  const env = {
    PATH,
    HOME: folder,
    DATA_FOLDER: path.join(folder, 'data'),
    npm_config_cache: path.join(folder, 'cache'),
    npm_config_offline: 'true',
  };
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, env, encoding: 'utf8' });
  return { status, stdout, stderr };
}

/** A project of one program, which prints its arguments; installed, and never built. */
function smallProject(): string {
  const project = path.join(folder, 'project');
  mkdirSync(path.join(project, 'src', 'cli'), { recursive: true });
  for (const file of ['bin', 'package.json', 'tsconfig.json', '.npmrc'])
    cpSync(path.join(ROOT, file), path.join(project, file), { recursive: true });
  writeFileSync(
    path.join(project, 'tsconfig.build.json'),
    JSON.stringify({
      extends: './tsconfig.json',
      compilerOptions: { noEmit: false, noEmitOnError: true, rootDir: '.', outDir: 'dist' },
      include: ['src'],
    }),
  );
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(project, 'node_modules'));
  return project;
}

function write(project: string, program: string): void {
  const file = path.join(project, 'src', 'cli', 'main.ts');
  writeFileSync(file, program);
  // A source of the same moment as the built file would not be newer.
  const soon = Date.now() / 1_000 + 5;
  utimesSync(file, soon, soon);
}

it('`npx quittance` in the project answers with its own output alone', () => {
  const { status, stdout } = npx(ROOT, '--json', ...MERCHANT, '--password', 'at least twelve');
  expect(status).toBe(0);
  expect(stdout.trimEnd().split('\n')).toHaveLength(1);
  expect(JSON.parse(stdout)).toMatchObject({ keys: { test: expect.stringMatching(/^sk_test_/) as string } });
}, LIMIT_MS); // prettier-ignore

it('its program builds what is missing or older than its source, and says so beside the output', () => {
  const project = smallProject();
  write(project, 'process.stdout.write(JSON.stringify(process.argv.slice(2)));');
  const first = found(project, 'one', '--two');
  expect(first).toMatchObject({ status: 0, stdout: '["one","--two"]' });
  expect(first.stderr).toContain('building, since src/cli/main.ts is newer');
  const built = path.join(project, 'dist', 'src', 'cli', 'main.js');
  const later = Date.now() / 1_000 + 9;
  utimesSync(built, later, later);
  const again = found(project, 'again');
  expect(again).toMatchObject({ status: 0, stdout: '["again"]' });
  expect(again.stderr).not.toContain('building');
  utimesSync(built, 1, 1);
  write(project, 'const broken: number = "text"; process.stdout.write(broken);');
  const broken = found(project, 'again');
  expect(broken).toMatchObject({ status: 1, stdout: '' });
  expect(broken.stderr).toContain('the build failed');
}, LIMIT_MS); // prettier-ignore
