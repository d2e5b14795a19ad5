import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CLIENT_VERSION } from '../../clients/typescript/src';

const PACKAGE = path.resolve(__dirname, '..', '..', 'clients', 'typescript');
/** The compiler makes the files of each kind from one source. */
const SOURCE_OF: Readonly<Record<string, string>> = { '.js': '.ts', '.d.ts': '.ts', '.mjs': '.mts', '.d.mts': '.mts' };

type Targets = { readonly types: string; readonly default: string };
type Manifest = {
  readonly version: string;
  readonly main: string;
  readonly module: string;
  readonly types: string;
  readonly exports: { readonly '.': { readonly import: Targets; readonly require: Targets } };
};

const manifest = JSON.parse(readFileSync(path.join(PACKAGE, 'package.json'), 'utf8')) as Manifest;

it('names programs and types for both module systems, each with a source', () => {
  const { import: esm, require: commonJs } = manifest.exports['.'];
  expect([esm, commonJs].map(targets => Object.keys(targets))).toStrictEqual([
    ['types', 'default'],
    ['types', 'default'],
  ]);
  const targets = [esm.types, esm.default, commonJs.types, commonJs.default];
  expect([manifest.module, manifest.main, manifest.types]).toStrictEqual([targets[1], targets[3], targets[2]]);
  expect(new Set(targets).size).toBe(4);
  for (const target of targets) {
    const [, name = '', kind = ''] = /^\.\/dist\/(\w+)((?:\.d)?\.m?[jt]s)$/.exec(target) ?? [];
    expect(existsSync(path.join(PACKAGE, 'src', `${name}${SOURCE_OF[kind]}`))).toBe(true);
  }
});

it('needs no package, and tells its version', () => {
  expect(Object.keys(manifest).filter(key => /dependencies/i.test(key))).toStrictEqual([]);
  expect(manifest.version).toBe(CLIENT_VERSION);
});

it('says what it lacks where the project has no compiler', () => {
  const alone = mkdtempSync(path.join(tmpdir(), 'quittance-alone-'));
  cpSync(path.join(PACKAGE, 'build.mjs'), path.join(alone, 'build.mjs'));
  const { status, stderr } = spawnSync(process.execPath, ['build.mjs'], { cwd: alone, encoding: 'utf8' });
  rmSync(alone, { recursive: true });
  expect({ status, stderr }).toStrictEqual({
    status: 1,
    stderr: 'The compiler of the project builds the client. Run `npm ci` in the project first.\n',
  });
});
