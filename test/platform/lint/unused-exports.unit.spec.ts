import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectSources } from './regular-expressions';
import { unusedExports } from './unused-exports';

const ROOT = join(__dirname, '../../..');
const IMPORTING = /^(?!.*(?:node_modules|dist)\/).*\.(?:tsx?|mjs|cjs)$/;

/** The files that may import from the project's sources, as texts by their paths. */
function projectFiles(): ReadonlyMap<string, string> {
  const paths = ['bench', 'clients', 'test'].flatMap(folder =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map(path => join(folder, path)),
  );
  const others = ['dev.mjs', 'docs/recipes.md', ...paths.filter(path => IMPORTING.test(path))];
  return new Map([...projectSources(), ...others.map(path => [path, readFileSync(join(ROOT, path), 'utf8')] as const)]);
}

it('finds the names that no other file imports, however a file imports', () => {
  const sources = new Map([
    ['src/a.ts', 'export const used = 1, own = used; export type Own = 1; export { used as again }; const inner = 1;'],
    ['src/b.ts', 'export function taken() {} export class Left {} export const { folded, open } = taken();'],
    ['src/c.ts', 'export const later = 1; export const never = later; export interface Typed {}'],
  ]);
  const users = new Map([
    ...sources,
    [
      'src/d.ts',
      "import { used as own } from './a'; import * as b from './b'; import type { B } from './b'; b.taken();",
    ],
    ['test/e.ts', "import('../src/c.js').then(({ later }) => later); type T = import('../src/c').Typed;"],
    ['dev.mjs', "import { open } from './dist/src/b.js';"],
  ]);
  expect(unusedExports(sources, users)).toEqual([
    'src/a.ts: Own',
    'src/a.ts: again',
    'src/a.ts: own',
    'src/b.ts: Left',
    'src/b.ts: folded',
    'src/c.ts: never',
  ]);
});

it('finds none in the project', () => {
  const users = projectFiles();
  expect(users.size).toBeGreaterThan(1_000);
  const sources = [...users].filter(([path]) => /^(?:src|projections|web)\//.test(path));
  expect(unusedExports(new Map(sources), users)).toEqual([]);
}, 60_000);
