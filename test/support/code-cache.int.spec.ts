import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const HOOK = path.join('test', 'support', 'code-cache.cjs');
/** More modules than the fewest that are worth keeping. */
const MODULES = Array.from({ length: 125 }, (_, index) => `./part-${index}`);

let project: string;
beforeEach(() => {
  project = mkdtempSync(path.join(tmpdir(), 'quittance-code-cache-'));
  for (const folder of [path.dirname(HOOK), 'dist/src/word'])
    mkdirSync(path.join(project, folder), { recursive: true });
  cpSync(path.resolve(__dirname, '..', '..', HOOK), path.join(project, HOOK));
  for (const name of MODULES) module(`${name}.js`, `module.exports = '${name}';`);
  module('word/index.js', `module.exports = () => 'first';`);
  program(`process.stdout.write(parts.length + ' ' + word());`);
});
afterEach(() => rmSync(project, { recursive: true }));

function module(file: string, source: string): void {
  writeFileSync(path.join(project, 'dist', 'src', file), source);
}

function program(source: string): void {
  const parts = JSON.stringify(MODULES);
  module(
    'main.js',
    `'use strict';\nconst parts = ${parts}.map(name => require(name));\nconst word = require('./word');\n${source}`,
  );
}

async function started(): Promise<string> {
  const child = spawn(
    process.execPath,
    ['--require', path.join(project, HOOK), path.join(project, 'dist/src/main.js')],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (output += text.toString()));
  await once(child, 'close');
  return output;
}

/** The files of compiled code, each as it was written. */
function kept(): readonly string[] {
  const folder = path.join(project, 'dist', 'code-cache');
  return readdirSync(folder).map(name => `${name} ${statSync(path.join(folder, name)).ino}`);
}

it('a start runs what those before it have compiled, a changed module as it is now, and no file that is cut', async () => {
  // Two starts at the same time leave one file.
  expect(await Promise.all([started(), started()])).toStrictEqual(['125 first', '125 first']);
  const written = kept();
  expect(written).toHaveLength(1);
  expect(await started()).toBe('125 first');
  expect(kept()).toStrictEqual(written);
  module('word/index.js', `module.exports = () => 'other';`);
  expect(await started()).toBe('125 other');
  expect(kept()).not.toStrictEqual(written);
  expect(await started()).toBe('125 other');
  rmSync(path.join(project, 'dist', 'src', 'word'), { recursive: true });
  module('word.js', `module.exports = () => 'moved';`);
  expect(await started()).toBe('125 moved');
  const folder = path.join(project, 'dist', 'code-cache');
  for (const name of readdirSync(folder)) truncateSync(path.join(folder, name), 1_000);
  expect(await started()).toBe('125 moved');
});

it('a program that fails keeps nothing, and its fault names its own line', async () => {
  program('word.nothing();');
  expect(await started()).toMatch(/main\.js:4:6\)/);
  expect(() => kept()).toThrow('ENOENT');
});

it('a program loads modules of ECMAScript by need', async () => {
  module('late.mjs', `export const late = 'late';`);
  program(`void import('./late.mjs').then(({ late }) => process.stdout.write(late));`);
  expect(await started()).toBe('late');
  expect(await started()).toBe('late');
});
