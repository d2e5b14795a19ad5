import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

type Found = { readonly line: number; readonly ruleId: string; readonly message: string };
type Linted = { readonly found: readonly Found[]; readonly errors: Readonly<Record<string, readonly string[]>> };

const RULE = 'positions/ordered';
const PATH = 'src/kernel/ports/event-store.ts';
const HEAD = [
  "import type { RecordedEvent } from '../event';",
  "import type { LogPosition } from '../log-position';",
  'declare const [one, event, other, count, text]: [LogPosition, RecordedEvent, LogPosition | null, number, string];',
  'let moved = one;',
];

const REFUSED = [
  'one - 1',
  '1 + one',
  'event.position * 2',
  '(other ?? one) / count',
  'other! % 2',
  'one ** 2',
  'one & 1',
  'moved++',
  '--moved',
  '(moved += count)',
  '[count].map(at => (at -= event.position))',
  '-one',
  '[one].sort((a, b) => a - b)',
  'Math.abs(one)',
  '[event].map(({ position }) => position - count)',
];

const ALLOWED = [
  'one < event.position && one === other',
  'Math.max(one, event.position)',
  'count + 1 - event.revision',
  'text + one',
  '`${one} of ${other}`',
  '-1 as LogPosition',
  'BigInt(one) === 3n',
];

const FILES = [
  'src/service.ts',
  'src/platform/event-store/embedded/event-log.ts',
  'projections/runner/rebuild.ts',
  'test/support/memory-event-store.ts',
  'bench/decode-to-match.ts',
];

function lint(): Linted {
  const code = [...HEAD, ...[...REFUSED, ...ALLOWED].map((line, index) => `export const value${index} = ${line};`)];
  const program = join(__dirname, 'typed-lint-cases.mjs');
  const input = JSON.stringify({ path: PATH, code: code.join('\n'), files: FILES });
  return JSON.parse(execFileSync(process.execPath, [program], { input, encoding: 'utf8' })) as Linted;
}

describe('arithmetic on positions of the log', () => {
  let linted: Linted;
  beforeAll(() => (linted = lint()), 60_000);
  const refusedLines = (): number[] => linted.found.filter(({ ruleId }) => ruleId === RULE).map(({ line }) => line);
  const lineOf = (index: number): number => HEAD.length + 1 + index;

  it.each(REFUSED.map((code, index) => [code, index] as const))('is refused: %s', (_, index) => {
    expect(refusedLines()).toContain(lineOf(index));
  });

  it.each(ALLOWED.map((code, index) => [code, index] as const))('is none: %s', (_, index) => {
    expect(refusedLines()).not.toContain(lineOf(REFUSED.length + index));
  });

  it('is looked for in every folder', () => {
    expect(FILES.filter(file => !linted.errors[file]?.includes(RULE))).toStrictEqual([]);
  });
});
