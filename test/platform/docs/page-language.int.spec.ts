import { readFileSync } from 'node:fs';
import path from 'node:path';
import { everyPageOf, proseOf } from '../../docs/pages';
import { languageBreaches } from '../lint/language';

const ROOT = path.resolve(__dirname, '..', '..', '..');
const LENGTH = 'language/sentences';
const OPENING = 'language/subjects';
const words = (count: number): string => Array.from({ length: count }, () => 'word').join(' ');

const REFUSED: readonly (readonly [why: string, page: string, rule: string])[] = [
  ['a long sentence of a paragraph', `Short. ${words(26)}.\n`, LENGTH],
  ['a long sentence over two lines', `${words(13)}\n${words(13)}\n`, LENGTH],
  ['a long item of a list', `- ${words(26)}\n- short\n`, LENGTH],
  ['a long cell of a table', `| a | ${words(26)} |\n`, LENGTH],
  ['a sentence without a noun for its subject', 'Short. They follow.\n', OPENING],
  ['such an item of a list', '1. Short.\n2. What follows.\n', OPENING],
  ['such an item below another one', '- Short.\n  - **Whoever** follows.\n', OPENING],
  ['such a sentence over two lines', 'Short. It\nfollows.\n', OPENING],
];

const ALLOWED: readonly (readonly [why: string, page: string])[] = [
  ['short items', `- ${words(20)}\n- ${words(20)}\n`],
  ['short paragraphs', `${words(20)}\n\n${words(20)}\n`],
  ['code as one word', `${words(24)} \`${words(5)}\`.\n`],
  ['a link as its text', `${words(24)} [word](docs/a-page.md#a-heading).\n`],
  ['a block of code', `\`\`\`sh\nIt is ${words(30)}\n\`\`\`\n`],
  ['a heading', '# What follows\n'],
  ['a cell that is a part of a sentence', '| What follows | It is |\n'],
];

type Finding = { readonly rule: string; readonly message: string; readonly text: string };

/**
 * The rules of comments, for pages: each paragraph is held to the rules as one comment. All of them are one text, since
 * the linter prepares itself for each text anew.
 */
function findings(pages: readonly string[]): readonly (readonly Finding[])[] {
  const prose = pages.flatMap((page, index) => proseOf(page).map(each => ({ ...each, index })));
  // A blank line keeps two comments apart.
  const [breaches = []] = languageBreaches([prose.map(({ text }) => `// ${text}`).join('\n\n')]);
  const found = prose.flatMap(({ text, isCell, index }, place) => {
    const held = isCell ? [LENGTH] : [LENGTH, OPENING];
    const broken = breaches.filter(({ rule, line }) => line === 2 * place + 1 && held.includes(rule));
    return broken.map(({ rule, message }) => ({ index, finding: { rule, message, text } }));
  });
  return pages.map((_, page) => found.filter(({ index }) => index === page).map(({ finding }) => finding));
}

const PAGES = everyPageOf(ROOT);
const FOUND = findings([
  ...PAGES.map(page => readFileSync(path.join(ROOT, page), 'utf8')),
  ...REFUSED.map(([, page]) => page),
  ...ALLOWED.map(([, page]) => page),
]);

it.each(PAGES.map((page, index) => [page, index] as const))(
  'keeps the sentences of %s short, and begins them with their subjects',
  (_, index) => {
    expect(FOUND[index]).toEqual([]);
  },
);

it('reads the pages that stand beside code', () => {
  expect(PAGES).toEqual(expect.arrayContaining(['clients/typescript/README.md', 'test/support/README.md']));
});

describe('the language of a page', () => {
  it.each(REFUSED.map(([why, , rule], index) => [why, rule, index] as const))('is without %s', (_, rule, index) => {
    expect(FOUND[PAGES.length + index]?.map(finding => finding.rule)).toEqual([rule]);
  });

  it.each(ALLOWED.map(([why], index) => [why, index] as const))('may have %s', (_, index) => {
    expect(FOUND[PAGES.length + REFUSED.length + index]).toEqual([]);
  });
});
