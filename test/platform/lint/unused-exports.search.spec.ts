import { searchSize } from '../../levels/search-size';
import { filesTaken, filesTakenOfAll, projectSources, textOf, textsOf, type Texts } from './sources';
import { exporting, exportsOf, unusedExports, usesOf } from './unused-exports';

const IMPORTING = /^(?!.*(?:node_modules|dist)\/).*\.(?:tsx?|mjs|cjs)$/;
/** More than there are, so all of them, at full size. */
const PARSED = searchSize('PARSED_FILES', { small: 20, full: 100_000 });

/** The files that may import from the project's sources. */
function projectFiles(): Texts {
  const others = ['dev.mjs', 'docs/recipes.md'].map(path => [path, textOf(path)] as const);
  return new Map([...projectSources(), ...others, ...textsOf(['bench', 'clients', 'test'], IMPORTING)]);
}

it('finds the names that no other file imports, however a file imports', () => {
  const sources = new Map([
    ['src/a.ts', 'export const used = 1, own = used; export type Own = 1; export { used as again }; const inner = 1;'],
    ['src/b.ts', 'export function taken() {} export class Left {} export const { folded, open } = taken();'],
    ['web/g.tsx', 'export function Shown() {\n  return <b>isn’t</b>;\n}\nexport type View = { readonly a: 1 };'],
    ['src/c.ts', 'export const later = 1; export const never = later; export interface Typed {}'],
  ]);
  const users = new Map([
    ...sources,
    [
      'src/d.ts',
      "import { used as own } from './a'; import * as b from './b'; import type { B } from './b'; b.taken();",
    ],
    ['test/e.ts', "import('../src/c.js').then(({ later }) => later); type T = import('../src/c').Typed;"],
    ['web/f.tsx', "import { Shown } from './g'; export const Page = () => <p>It’s {<Shown />} isn't it</p>;"],
    ['dev.mjs', "import { open } from './dist/src/b.js';"],
  ]);
  expect(unusedExports(sources, users)).toEqual([
    'src/a.ts: Own',
    'src/a.ts: again',
    'src/a.ts: own',
    'src/b.ts: Left',
    'src/b.ts: folded',
    'src/c.ts: never',
    'web/g.tsx: View',
  ]);
});

describe('in the project', () => {
  const users = projectFiles();
  const sources = new Map([...users].filter(([path]) => /^(?:src|projections|web)\//.test(path)));
  /** So many of the files, from all parts of the project. */
  const some = (texts: Texts): readonly (readonly [path: string, text: string])[] => {
    const all = [...texts].filter(([path]) => /\.tsx?$/.test(path));
    const step = Math.max(1, Math.floor(all.length / PARSED));
    return all.filter((_, index) => index % step === 0);
  };

  it('finds none', () => {
    expect(users.size).toBeGreaterThan(1_000);
    expect(unusedExports(sources, users)).toEqual([]);
  }, 60_000);

  it('finds the same exports where a source is parsed as a whole', () => {
    const found = (exportsIn: typeof exportsOf) =>
      some(sources).map(([path, text]) => [path, ...exportsIn(path, text)]);
    expect(found((path, text) => exportsOf(path, exporting(text)))).toEqual(found(exportsOf));
  }, 60_000);

  it('finds the same imports where a file is parsed as a whole', () => {
    const found = some(users).map(([path, text]) => [path, filesTaken(text), usesOf({ path, text }, users)]);
    const all = some(users).map(([path, text]) => {
      return [path, filesTakenOfAll(text), usesOf({ path, text, statements: text }, users)];
    });
    expect(found).toEqual(all);
  }, 60_000);
});
