import { readGuide } from '../../web/docs/read-guide';
import { guideLink, projectFile } from '../../web/docs/screens/guide-links';

const SITE = { root: '/pay/docs', contract: '/pay/openapi.json', guides: [{ name: 'webhooks', text: 'Webhooks' }] };
const SAMPLE = `# A first payment

Text with \`code\`, **weight**, *stress* &amp; a [link](webhooks.md#retries).

## Ask it

\`\`\`sh
curl https://pay.example
\`\`\`

\`\`\`php file=a.php untested
echo 1;
\`\`\`

## Ask it

| Code | Meaning |
|---|---|
| \`a\` | one |

1. First.
2. Second:

   \`\`\`json
   {}
   \`\`\`
`;

test('a guide is read into blocks, each heading with an id of its own', () => {
  const { title, blocks } = readGuide(SAMPLE);
  expect(title).toBe('A first payment');
  const headings = blocks.filter(block => block.kind === 'heading').map(({ level, id }) => [level, id]);
  expect(headings).toStrictEqual([
    [1, 'a-first-payment'],
    [2, 'ask-it'],
    [2, 'ask-it-1'],
  ]);
  expect(blocks[1]).toStrictEqual({
    kind: 'paragraph',
    parts: [
      { kind: 'text', text: 'Text with ' },
      { kind: 'code', text: 'code' },
      { kind: 'text', text: ', ' },
      { kind: 'strong', parts: [{ kind: 'text', text: 'weight' }] },
      { kind: 'text', text: ', ' },
      { kind: 'emphasis', parts: [{ kind: 'text', text: 'stress' }] },
      { kind: 'text', text: ' & a ' },
      { kind: 'link', href: 'webhooks.md#retries', parts: [{ kind: 'text', text: 'link' }] },
      { kind: 'text', text: '.' },
    ],
  });
});

test('a block of code names its language, and whether a test runs it', () => {
  const { blocks } = readGuide(SAMPLE);
  expect(blocks.filter(block => block.kind === 'code')).toStrictEqual([
    { kind: 'code', label: 'Shell', isUntested: false, text: 'curl https://pay.example' },
    { kind: 'code', label: 'PHP: a.php', isUntested: true, text: 'echo 1;' },
  ]);
});

test('tables and lists keep their parts', () => {
  const { blocks } = readGuide(SAMPLE);
  const table = blocks.find(block => block.kind === 'table');
  expect(table).toMatchObject({ name: 'Table 1: Code, Meaning', headings: ['Code', 'Meaning'] });
  const list = blocks.find(block => block.kind === 'list');
  expect(list?.items[1]?.map(({ kind }) => kind)).toStrictEqual(['paragraph', 'code']);
});

test.each([
  ['webhooks.md', '/pay/docs/webhooks'],
  ['./webhooks.md#retries', '/pay/docs/webhooks#retries'],
  ['/docs/errors/rate_limit', '/pay/docs/errors/rate_limit'],
  ['/openapi.json', '/pay/openapi.json'],
  ['#ask-it', '#ask-it'],
  ['https://example.com/', 'https://example.com/'],
  ['quick-start.md', null],
  ['../testing.md', null],
  ['javascript:alert(1)', null],
  ['/docsx', null],
  ['//evil.example', null],
])('the link %s leads to %s', (href, leadsTo) => {
  expect(guideLink(SITE, href)).toBe(leadsTo);
});

test.each([
  ['../test-mode.md', 'docs/test-mode.md'],
  ['../decisions/unique-amounts.md#why', 'docs/decisions/unique-amounts.md'],
  ['webhooks.md', null],
  ['../../README.md', null],
  ['https://example.com/a.md', null],
])('the link %s names the file %s of the project', (href, file) => {
  expect(projectFile(href)).toBe(file);
});
