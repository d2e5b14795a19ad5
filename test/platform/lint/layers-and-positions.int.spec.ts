import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { INWARD, OUTWARD } from './layer-cases';

type Linted = {
  readonly refused: readonly { readonly line: number; readonly message: string }[];
  readonly unasked: readonly string[];
  /** The messages about each import. */
  readonly arrows: readonly (readonly string[])[];
};

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
  'src/composition/service.ts',
  'src/platform/event-store/embedded/event-log.ts',
  'projections/runner/rebuild.ts',
  'test/support/memory-event-store.ts',
  'bench/decode-to-match.ts',
];

function lint(): Linted {
  const code = [...HEAD, ...[...REFUSED, ...ALLOWED].map((line, index) => `export const value${index} = ${line};`)];
  const program = join(__dirname, 'typed-lint-cases.mjs');
  const imports = [...INWARD, ...OUTWARD.map(([path, line]) => [path, line])];
  const input = JSON.stringify({ path: PATH, code: code.join('\n'), files: FILES, imports });
  return JSON.parse(execFileSync(process.execPath, [program], { input, encoding: 'utf8' })) as Linted;
}

let linted: Linted;
beforeAll(() => (linted = lint()));

describe('arithmetic on positions of the log', () => {
  const lineOf = (index: number): number => HEAD.length + 1 + index;
  const messages = (index: number): string[] =>
    linted.refused.filter(({ line }) => line === lineOf(index)).map(({ message }) => message);

  it.each(REFUSED.map((code, index) => [code, index] as const))('is refused: %s', (_, index) => {
    expect(messages(index)).toStrictEqual([expect.stringContaining('A log position is compared')]);
  });

  it.each(ALLOWED.map((code, index) => [code, index] as const))('is none: %s', (_, index) => {
    expect(messages(REFUSED.length + index)).toStrictEqual([]);
  });

  it('is looked for in every folder', () => {
    expect(linted.unasked).toStrictEqual([]);
  });
});

describe('an import', () => {
  it('lets arrows point inward', () => {
    expect(linted.arrows.slice(0, INWARD.length)).toEqual(INWARD.map(() => []));
  });

  it('is refused where its arrow points outward', () => {
    expect(linted.arrows.slice(INWARD.length)).toEqual(OUTWARD.map(([, , part]) => [expect.stringContaining(part)]));
  });
});
