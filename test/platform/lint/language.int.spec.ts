import { languageBreaches } from './language';

const words = (count: number): string => Array.from({ length: count }, () => 'word').join(' ');
const columns = (count: number): string => 'x'.repeat(count);

const OPENINGS = [
  'What',
  'Who',
  'Whom',
  'Whose',
  'Whoever',
  'It',
  "It's",
  'They',
  'These',
  'Those',
  'Something',
  'Everything',
  'Nobody',
  'Somebody',
  'Anybody',
  'This is',
  'This may',
  'One that',
  'One who',
  'That which',
  'All that',
];

const SUBJECTS = 'language/subjects';

const REFUSED: readonly (readonly [why: string, text: string, rule: string])[] = [
  ['a line comment of 121 columns', `// ${columns(118)}`, 'language/columns'],
  ['code of 121 columns', `const ${columns(110)} = 1_0;`, 'language/columns'],
  [
    'a line of 121 columns with two strings',
    `export const pair = ['${columns(48)}', '${columns(46)}'];`,
    'language/columns',
  ],
  ['a sentence of 26 words', `// ${words(13)}\n// ${words(13)}.`, 'language/sentences'],
  ['a sentence over the lines of a block', `/**\n * ${words(13)}\n * ${words(13)}\n */`, 'language/sentences'],
  ['a second sentence', `/** ${words(2)}. ${words(20)}\n * ${words(6)}. */`, 'language/sentences'],
  ...OPENINGS.map(opening => [`a sentence that begins with ${opening}`, `// ${opening} word.`, SUBJECTS] as const),
  ['such a second sentence', '/** A word. What follows. */', SUBJECTS],
  ['such a sentence on a further line', '/**\n * A word.\n * What follows.\n */', SUBJECTS],
  ['such a sentence within a block that is indented', 'if (1) {\n  /**\n   * What follows.\n   */\n}', SUBJECTS],
  ['such a sentence of a parameter', '/** @param word What follows. */', SUBJECTS],
  ['such a sentence of an answer', '/** @returns What follows. */', SUBJECTS],
];

const ALLOWED: readonly (readonly [why: string, text: string])[] = [
  ['a comment of 120 columns', `// ${columns(117)}`],
  ['a string that no line break shortens', `export const text = '${columns(120)}';`],
  ['a sentence of 25 words', `// ${words(13)}\n// ${words(12)}.`],
  ['two sentences', `// ${words(20)}.\n// ${words(20)}.`],
  ['code between backticks as one word', `// ${words(20)}\n// \`a b c d e f g h\`.`],
  ['a sentence that begins with a noun', '/** A payment. A transfer that waits, what it is and who sent it. */'],
  ['an opening as a part of a word', '// Its word. Items. Whole words. One word. Everythings. All words.'],
  ['a sentence that begins with This and a noun', '// This process. This island. This hash has it.'],
  ['an opening between backticks', '// `What` is a word.'],
  ['an opening within a string', "export const text = 'What follows. It is.';"],
  ['a decimal point within a sentence of 25 words', `// ${words(20)}\n// ${words(4)} 1.5.`],
];

const broken = languageBreaches([...REFUSED, ...ALLOWED].map(([, text]) => text)).map(breaches =>
  breaches.map(({ rule }) => rule),
);

describe('the language of comments', () => {
  it.each(REFUSED.map(([why, , rule], index) => [why, rule, index] as const))('refuses %s', (_, rule, index) => {
    expect(broken[index]).toStrictEqual([rule]);
  });

  it.each(ALLOWED.map(([why], index) => [why, index] as const))('allows %s', (_, index) => {
    expect(broken[REFUSED.length + index]).toStrictEqual([]);
  });
});
