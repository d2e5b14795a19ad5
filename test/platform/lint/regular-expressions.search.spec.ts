import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { z } from 'zod';
import { searchSize } from '../../levels/search-size';
import { Prng } from '../../simulation/prng';
import { findPatterns, suspects } from './regular-expressions';
import { projectSources } from './sources';

/** The decorators of class-validator that match no text with a pattern of their own. */
const PLAIN_VALIDATORS = [
  'IsOptional', 'ValidateBy', 'ValidateIf', 'ValidateNested', 'ValidationArguments', 'ValidationError', 'getMetadataStorage', 'validateSync',
]; // prettier-ignore
/** The methods of zod that match no text with a pattern of their own; `regex` is given a literal. */
const PLAIN_ZOD = [
  'array', 'boolean', 'custom', 'default', 'discriminatedUnion', 'enum', 'int', 'length', 'literal', 'looseObject', 'max', 'min', 'nonnegative',
  'null', 'nullable', 'nullish', 'number', 'object', 'optional', 'pipe', 'positive', 'prettifyError', 'record', 'refine', 'regex',
  'safeParse', 'strictObject', 'string', 'transform', 'tuple', 'union', 'unknown',
]; // prettier-ignore
const ZOD_FORMATS = new Map([
  ['iso.date', z.iso.date()._zod.def.pattern],
  ['iso.datetime', z.iso.datetime()._zod.def.pattern],
]);

/** More than there are, so all of them, at full size. */
const PROVED = searchSize('PROVED_PATTERNS', { small: 5, full: 100_000 });

/** For few patterns, the checker's functions do not run often enough to repay their optimization. */
const CHECKER_FLAGS = PROVED < 100 ? ['--interrupt-budget=1000000'] : [];

/** So many of the patterns, chosen by chance; a change of any of them chooses others. */
function chosen(patterns: readonly string[]): readonly string[] {
  const seed = [...patterns.join('')].reduce((sum, char) => (Math.imul(sum, 31) + char.charCodeAt(0)) | 0, 0);
  const prng = new Prng(seed);
  const left = [...patterns];
  const count = Math.min(PROVED, left.length);
  return Array.from({ length: count }, () => left.splice(prng.below(left.length), 1)).flat();
}

/** Null for each pattern that is proved to take time in proportion to its text. */
function faultsOf(patterns: readonly string[]): readonly (string | null)[] {
  const program = [...CHECKER_FLAGS, join(__dirname, 'prove-linear.mjs')];
  return JSON.parse(execFileSync(process.execPath, program, { input: JSON.stringify(patterns), encoding: 'utf8' }));
}

/** Patterns with a fault each, but for the last one. */
const FAULTY = ['/0+$/', '/^(?:a|a)*$/', '/^0+(?=\\d)/', '/^0+/'];

it('finds every pattern of a source', () => {
  const text = `
    import { IsEmail } from 'class-validator';
    const [a, b, c] = [/x+/g, new RegExp(name), RegExp('y')];
    const d = z.string().max(3).email();
    const e = z.iso.time();
    const f = text.match('z+') ?? text.search(\`\${a}\`) ?? text.match(a);
  `;
  const { patterns, built, validators, zodMethods } = findPatterns(suspects(new Map([['a.ts', text]])));
  expect([...patterns]).toEqual([['/x+/g', 'a.ts:3']]);
  expect(built).toEqual(['a.ts:3', 'a.ts:3', 'a.ts:6', 'a.ts:6']);
  expect([...validators]).toEqual(['IsEmail']);
  expect([...zodMethods].sort()).toEqual(['email', 'iso.time', 'max', 'string']);
});

it.each([
  'x = a ? /b/ : 1;',
  'f(/b/)',
  'return /b/',
  '[\n  // A note.\n  /b/,\n]',
  'x = /* A note. */ /b/',
  '`${/b/}`',
  'a => /b/',
])('looks at %j', text => {
  const sources = new Map([['a.ts', text]]);
  expect([...findPatterns(suspects(sources)).patterns]).toEqual([['/b/', expect.stringMatching(/^a.ts:/)]]);
});

it('leaves out what has no slash but in comments, names of files and divisions', () => {
  const text = "// a/b\n/** c */ import { d } from '../e';\nexport const f = (d / 2) / 3;";
  expect([...suspects(new Map([['a.ts', text]]))]).toEqual([]);
});

describe('in the project', () => {
  let faultsOfFaulty: readonly (string | null)[];
  let faults: readonly (string | null)[];
  const sources = projectSources();
  const found = findPatterns(suspects(sources));
  const { patterns, built, validators, zodMethods } = found;
  const formats = [...zodMethods].filter(name => !PLAIN_ZOD.includes(name));

  const places = new Map([...patterns, ...formats.map(name => [String(ZOD_FORMATS.get(name)), name] as const)]);
  const tried = chosen([...places.keys()]);

  beforeAll(() => {
    // The checker takes longer to load than to look at most patterns.
    const all = faultsOf([...FAULTY, ...tried]);
    [faultsOfFaulty, faults] = [all.slice(0, FAULTY.length), all.slice(FAULTY.length)];
  }, 300_000);

  it('finds fault with what takes longer, and with what cannot be proved', () => {
    expect(faultsOfFaulty).toEqual([
      expect.stringContaining('2nd degree polynomial'),
      expect.stringContaining('exponential'),
      expect.stringContaining('not proved'),
      null,
    ]);
  });

  it('proves every regular expression linear', () => {
    expect(patterns.size).toBeGreaterThan(100);
    expect(faults).toHaveLength(Math.min(PROVED, places.size));
    const faulty = tried.flatMap((pattern, index) =>
      faults[index] === null ? [] : [`${places.get(pattern)} ${pattern} ${faults[index]}`],
    );
    expect(faulty).toEqual([]);
  });

  if (PROVED > places.size)
    it('finds no more where every source is parsed', () => {
      expect(findPatterns(sources)).toEqual(found);
    });

  it('builds none from a text', () => {
    expect(built).toEqual([]);
  });

  it('uses no validator whose patterns are not looked at', () => {
    expect([...validators].filter(name => !PLAIN_VALIDATORS.includes(name))).toEqual([]);
    expect(formats.filter(name => !ZOD_FORMATS.has(name))).toEqual([]);
  });
});
