import { names, recipesOf } from './recipes';

const TOLD = `# C

## How to add a thing

1. Write \`src/<name>/x.ts\`.
2. Test it.

## How to write

1. Well.
`;
const SHOWN = `# R

## A thing

Of wood.

1. The file:

\`\`\`diff
--- src/a/x.ts
 one
-two
+three
@@
+four
 five
+++ src/a/y.ts
+new
\`\`\`

2. Nothing.
`;

it('reads the steps of each recipe, with the changes of its example', () => {
  expect(recipesOf(TOLD, SHOWN)).toStrictEqual([
    {
      name: 'a thing',
      steps: [
        {
          text: 'Write `src/<name>/x.ts`.',
          edits: [
            { file: 'src/a/x.ts', before: 'one\ntwo\n', after: 'one\nthree\n' },
            { file: 'src/a/x.ts', before: 'five\n', after: 'four\nfive\n' },
            { file: 'src/a/y.ts', before: null, after: 'new\n' },
          ],
        },
        { text: 'Test it.', edits: [] },
      ],
    },
  ]);
});

it('refuses a recipe without its example, and one with other steps', () => {
  expect(() => recipesOf(TOLD, SHOWN.replace('A thing', 'A house'))).toThrow('are not those of a thing');
  expect(() => recipesOf(TOLD, SHOWN.replace('2. Nothing.', ''))).toThrow('a thing has 2 steps');
  expect(() => recipesOf(TOLD, SHOWN.replace('--- src/a/x.ts', 'src/a/x.ts'))).toThrow("not a file's head");
});

it.each([
  ['`src/modules/<name>/<noun>.events.ts`', 'src/modules/webhooks/deferred-webhook.events.ts', true],
  ['`src/modules/<name>/commands/<verb>-<noun>.command.ts`', 'src/modules/a/commands/do-it.command.ts', true],
  ['`src/modules/<name>/commands/<verb>-<noun>.command.ts`', 'src/modules/a/commands/it.command.ts', false],
  ['`test/modules/<name>`', 'test/modules/webhooks/deep/a.unit.spec.ts', true],
  ['`projections/all.ts`', 'projections/all.ts', true],
  ['`projections/all.ts`', 'projections/other.ts', false],
  ['src/a.ts without marks', 'src/a.ts', false],
])('says of %s and %s: %s', (step, file, isNamed) => {
  expect(names(step, file)).toBe(isNamed);
});
