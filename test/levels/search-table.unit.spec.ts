import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '..', '..');
const TESTS = path.join(ROOT, 'test');
const SIZED = /searchSize\('(\w+)', \{ small: ([\w. +]+), full: ([^}]+) \}\)/g;
const ROW = /^\| [^|]+ \| [^|]+ \| `(\w+)` \| ([\d,]+) \| ([\d,]+) \|$/gm;
/** The looks of a realm's pages get the name of their variable. */
const NAMED_BY_CALLER = /variable: '(\w+_LOOKS)'/g;
/** A seed is no size: the page tells of it below the table. */
const TOLD_ELSEWHERE = ['SIMULATION_SEED'];

const sources = readdirSync(TESTS, { recursive: true, encoding: 'utf8' })
  .filter(file => /\.tsx?$/.test(file) && !file.startsWith(`levels${path.sep}search-size`))
  .filter(file => !/levels.(?:compile-once|search-table)/.test(file))
  .map(file => readFileSync(path.join(TESTS, file), 'utf8'));
const rows = [...readFileSync(path.join(ROOT, 'docs', 'testing.md'), 'utf8').matchAll(ROW)];
const sized = sources.flatMap(source => [...source.matchAll(SIZED)]);
const named = sources.flatMap(source => [...source.matchAll(NAMED_BY_CALLER)]);
const digits = (text: string | undefined): string => (text ?? '').replace(/[_,]/g, '');

it('each size of a search has a row in the table of the page about tests, and each row is of a size', () => {
  const known = [...sized, ...named].map(([, variable]) => variable as string);
  const told = [...rows.map(([, variable]) => variable as string), ...TOLD_ELSEWHERE];
  expect([...new Set(told)].sort()).toStrictEqual([...new Set(known)].sort());
});

it('the rows tell the sizes that are plain numbers', () => {
  const ofRow = new Map(
    rows.map(([, variable, small, full]) => [variable, { small: digits(small), full: digits(full) }]),
  );
  const isNumber = (text: string | undefined): boolean => /^\d+$/.test(digits(text));
  const wrong = sized.filter(([, variable, small, full]) => {
    const row = ofRow.get(variable);
    return row && ((isNumber(small) && digits(small) !== row.small) || (isNumber(full) && digits(full) !== row.full));
  });
  expect(wrong.map(([text]) => text)).toStrictEqual([]);
  expect(sized.length).toBeGreaterThan(40);
});
