import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { LESS_CLEARING } from '../../bin/build-when-stale.cjs';
import { CLIENT_VERSION } from '../../clients/typescript/src';
import { searchSize } from '../levels/search-size';
import { quickStartPath } from '../support/service-process';

const ROOT = path.resolve(__dirname, '..', '..');
const PACKAGE = path.join(ROOT, 'clients', 'typescript');
const COMPILER = path.join(ROOT, 'node_modules', 'typescript7', 'bin', 'tsc');
const PUBLINT = path.join(ROOT, 'node_modules', 'publint', 'src', 'cli.js');
const ATTW = path.join(ROOT, 'node_modules', '@arethetypeswrong', 'cli', 'dist', 'index.js');
const LIMIT_MS = 120_000;
/** The ways to install the client. */
const INSTALLED = searchSize('CLIENT_INSTALLATIONS', { small: 1, full: 2 });
/** The programs that check the packed client. */
const CHECKERS = searchSize('CLIENT_CHECKERS', { small: 1, full: 2 });

/** A program of either module system, which prints what it has got. */
const SHOWN = 'console.log(typeof Quittance, typeof constructEvent, new QuittanceError("x") instanceof Error)';
const PROGRAMS = [
  ['shop.cjs', `const { Quittance, QuittanceError, constructEvent } = require('quittance-client'); ${SHOWN}`],
  ['shop.mjs', `import { Quittance, QuittanceError, constructEvent } from 'quittance-client'; ${SHOWN}`],
] as const;

/** Fails to compile where the type of an event does not tell the state of its payment. */
const NARROWING = `
import { constructEvent, type DeliveredEvent, type PaymentConfirmedEvent } from 'quittance-client';
export function ship(event: DeliveredEvent): 'confirmed' | 'overpaid' | null {
  switch (event.type) {
    case 'payment.confirmed':
    case 'payment.overpaid':
      return event.data.status;
    default:
      return null;
  }
}
export function confirmed(event: PaymentConfirmedEvent): string {
  return event.data.received_amount;
}
export const take = (body: string): DeliveredEvent => constructEvent(body, 't=1,v1=00', 'whsec_x');
`;

type Attw = { readonly analysis: { readonly packageName: string; readonly problems: readonly object[] } };

let folder: string;
/** A copy of the project, so that a build leaves the source as it is. */
let client: string;
let packed: string;
let PATH: string;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'quittance-package-'));
  PATH = quickStartPath(folder);
  client = path.join(folder, 'project', 'clients', 'typescript');
  const isSource = (name: string): boolean => !/[/\\](?:dist|node_modules)$/.test(name);
  cpSync(PACKAGE, client, { recursive: true, filter: isSource });
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'project', 'node_modules'));
  packed = pack();
}, LIMIT_MS);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.each(
  (
    [
      ['the file that `npm pack` makes', () => packed],
      ['its folder', () => client],
    ] as const
  ).slice(0, INSTALLED),
)('the client installed from %s', (_, source) => {
  let shop: string;

  beforeAll(() => {
    shop = mkdtempSync(path.join(folder, 'shop-'));
    writeFileSync(path.join(shop, 'package.json'), '{ "name": "shop", "version": "1.0.0", "private": true }');
    npm(shop, 'install', '--offline', '--no-audit', '--no-fund', source());
  }, LIMIT_MS);

  it.each(PROGRAMS)('serves %s', (name, program) => {
    writeFileSync(path.join(shop, name), program);
    expect(run(shop, process.execPath, name)).toBe('function function true\n');
  });

  it('gives both module systems the same classes', () => {
    const program = `
      import { createRequire } from 'node:module';
      import { RefusedError } from 'quittance-client';
      console.log(RefusedError === createRequire(import.meta.url)('quittance-client').RefusedError);`;
    writeFileSync(path.join(shop, 'both.mjs'), program);
    expect(run(shop, process.execPath, 'both.mjs')).toBe('true\n');
  });

  it('needs nothing but node', () => {
    const home = path.join(shop, 'node_modules', 'quittance-client');
    const manifest = JSON.parse(readFileSync(path.join(home, 'package.json'), 'utf8')) as Record<string, unknown>;
    expect(Object.keys(manifest).filter(key => /dependencies/i.test(key))).toStrictEqual([]);
    expect(manifest.version).toBe(CLIENT_VERSION);
    const dist = path.join(home, 'dist');
    const built = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.js'));
    const required = built.flatMap(name =>
      [...readFileSync(path.join(dist, name), 'utf8').matchAll(/require\("([^"]+)"\)/g)].map(
        ([, wanted]) => wanted ?? '',
      ),
    );
    const foreign = required.filter(
      name => !name.startsWith('.') && !builtinModules.includes(name.replace(/^node:/, '')),
    );
    expect(foreign).toStrictEqual([]);
    expect(required.length).toBeGreaterThan(10);
  });

  it(
    'has types for programs of both module systems, in which events narrow by their type, and for its README',
    () => {
      const readme = readFileSync(path.join(PACKAGE, 'README.md'), 'utf8');
      const examples = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, example]) => example as string);
      expect(examples.length).toBeGreaterThan(1);
      const programs = new Map([
        ['shop.mts', NARROWING],
        ['shop.cts', NARROWING],
        ...examples.map((example, index) => [`example-${index}.mts`, example] as const),
      ]);
      for (const [name, program] of programs) writeFileSync(path.join(shop, name), program);
      compile(shop, ...programs.keys());
    },
    LIMIT_MS,
  );
});

describe('the file that `npm pack` makes', () => {
  it('is clean by publint', () => {
    const said = run(folder, process.execPath, PUBLINT, 'run', packed, '--strict');
    expect(said).toContain('All good!');
  });

  if (CHECKERS > 1)
    it('has types that fit its programs, by @arethetypeswrong/cli', () => {
      const said = JSON.parse(run(folder, process.execPath, ATTW, packed, '--format', 'json')) as Attw;
      expect(said.analysis.packageName).toBe('quittance-client');
      expect(said.analysis.problems).toStrictEqual([]);
    });
});

function pack(): string {
  npm(client, 'pack', '--pack-destination', folder);
  const made = readdirSync(folder).filter(name => name.endsWith('.tgz'));
  expect(made).toStrictEqual([`quittance-client-${CLIENT_VERSION}.tgz`]);
  return path.join(folder, made[0] as string);
}

/** npm as its user runs it, with scripts, and with nothing of this machine's settings. */
function npm(cwd: string, ...args: readonly string[]): string {
  const nothing = path.join(folder, 'npmrc');
  writeFileSync(nothing, '');
  return run(cwd, 'npm', ...args, '--foreground-scripts=false', `--userconfig=${nothing}`);
}

function compile(cwd: string, ...programs: readonly string[]): void {
  const types = ['--types', 'node', '--typeRoots', path.join(ROOT, 'node_modules', '@types')];
  const options = ['--ignoreConfig', '--noEmit', '--strict', '--target', 'es2022', '--module', 'node20', ...types];
  run(cwd, process.execPath, COMPILER, '--singleThreaded', ...programs, ...options);
}

/** The output. Throws Error with all output where the program fails. */
function run(cwd: string, program: string, ...args: readonly string[]): string {
  const own = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name));
  const env = { ...Object.fromEntries(own), PATH, npm_config_ignore_scripts: 'false', ...LESS_CLEARING };
  try {
    return execFileSync(program, args, { cwd, env, encoding: 'utf8', stdio: 'pipe' });
  } catch (error) {
    const { stdout, stderr } = error as { readonly stdout: string; readonly stderr: string };
    throw new Error(`${program} ${args.join(' ')}\n${stdout}${stderr}`, { cause: error });
  }
}
