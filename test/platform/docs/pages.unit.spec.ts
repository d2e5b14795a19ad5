import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { GENERATED_PARTS, withPart } from '../../docs/generated-parts';
import { fragments, namedPaths, namedScripts, pagesOf, relativeLinks, stands } from '../../docs/pages';

const ROOT = path.resolve(__dirname, '..', '..', '..');
const README_LINES = 120;
const README_BEGINNING = 40;
const TWO_LINES = `\`\`\`sh
npm ci && npm run demo    # the main job from end to end, told a line a step
npm ci && npm test        # the tests
\`\`\``;
/** The length of the instructions for one kind of change. */
const STEP_LINES = 10;
const PAGES = pagesOf(ROOT);

const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');

/** Links of a page that lead nowhere: to no file, or to no heading of a page. */
function deadLinks(page: string, text: string): readonly string[] {
  return relativeLinks(text).filter(target => {
    const [file = '', fragment] = target.split('#');
    const named = path.join(ROOT, file === '' ? page : path.join(path.dirname(page), file));
    if (!existsSync(named)) return true;
    return fragment !== undefined && !fragments(readFileSync(named, 'utf8')).includes(fragment);
  });
}

const missingPaths = (text: string): readonly string[] => namedPaths(text).filter(named => !stands(ROOT, named));

describe.each(GENERATED_PARTS)('the part "$name" of $page', part => {
  it('is what `npm run docs:generate` makes of the code', () => {
    expect(read(part.page)).toBe(withPart(read(part.page), part));
  });

  it('is told from one that is stale', () => {
    const lastButOne = part.render().split('\n').at(-2) as string;
    const stale = read(part.page).replace(lastButOne, `${lastButOne} by hand`);
    expect(withPart(stale, part)).toBe(read(part.page));
    expect(stale).not.toBe(read(part.page));
  });
});

it('renders no part where the page lacks a marker', () => {
  const [part] = GENERATED_PARTS;
  expect(() => withPart('# A page without markers\n', part as never)).toThrow(/lacks a marker/);
});

describe.each(PAGES)('%s', page => {
  const text = read(page);

  it('links to files and headings that stand', () => {
    expect(deadLinks(page, text)).toEqual([]);
  });

  it('names paths that stand', () => {
    expect(missingPaths(text)).toEqual([]);
  });

  it('names scripts that the package has', () => {
    const { scripts } = JSON.parse(read('package.json')) as { readonly scripts: Readonly<Record<string, string>> };
    expect(namedScripts(text).filter(script => !(script in scripts))).toEqual([]);
  });
});

describe('the checks of a page', () => {
  it('find a link that leads nowhere', () => {
    const text = '[one](docs/glossary.md), [two](docs/none.md), [three](docs/glossary.md#a-chain), [four](#nothing)';
    expect(deadLinks('README.md', text)).toEqual(['docs/none.md', '#nothing']);
    expect(deadLinks('README.md', '[elsewhere](https://example.com/none)')).toEqual([]);
  });

  it('find a path that does not stand, in text and in commands', () => {
    const text = 'See `src/main.ts`, `src/none.ts` and `src/modules/<name>/<noun>.events.ts`.';
    expect(missingPaths(text)).toEqual(['src/none.ts']);
    expect(missingPaths('```sh\nnpx jest test/none test/kernel\n```\n')).toEqual(['test/none']);
    expect(missingPaths('`projections/<name>.nothing.ts` and `test/*.none`')).toHaveLength(2);
  });
});

it(`keeps the README to ${README_LINES} lines`, () => {
  expect(read('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(README_LINES);
});

it('begins the README with the two lines that start everything', () => {
  const beginning = read('README.md').split('\n').slice(0, README_BEGINNING).join('\n');
  expect(beginning).toContain(TWO_LINES);
});

it('names every page in the README', () => {
  const linked = new Set(relativeLinks(read('README.md')));
  expect(PAGES.filter(page => page !== 'README.md' && !linked.has(page))).toEqual([]);
});

it('keeps the instructions for each kind of change short', () => {
  const parts = read('CONTRIBUTING.md')
    .split(/^## How to add /m)
    .slice(1);
  const lengths = parts.map(part => (part.split(/^## /m)[0] as string).split('\n').filter(Boolean).length - 1);
  expect(lengths).toHaveLength(5);
  expect(Math.max(...lengths)).toBeLessThan(STEP_LINES);
});

it('tells of each figure that the benchmark prints, with its gate', () => {
  const source = read('bench/main.ts');
  const printed = [...source.matchAll(/id: '(\w+)'[^}]*gate: \{ (atMost|atLeast): ([\d.]+) \}/g)];
  const words = { atMost: 'at most', atLeast: 'at least' } as Readonly<Record<string, string>>;
  const rows = printed.map(([, id, bound = '', gate]) => `| ${id} | ${words[bound]} ${gate} |`);
  expect(rows).toHaveLength(source.match(/gate: \{/g)?.length ?? 0);
  const numbers = read('docs/numbers.md');
  expect(rows.filter(row => !numbers.includes(row))).toEqual([]);
});
