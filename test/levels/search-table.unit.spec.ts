import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '..', '..');
const TESTS = path.join(ROOT, 'test');
const SIZED = /searchSize\('(\w+)', \{ small: ([\w. +]+), full: ([^}]+) \}\)/g;
const ROW = /^\| [^|]+ \| [^|]+ \| `(\w+)` \| ([\d,]+) \| ([\d,]+) \|$/gm;
/** The looks of a realm's pages get the name of their variable. */
const NAMED_BY_CALLER = /variable: '(\w+_LOOKS)'/g;
/** A seed is no size: the page tells of it below the table. */
const TOLD_ELSEWHERE = ['SIMULATION_SEED'];

const files = readdirSync(TESTS, { recursive: true, encoding: 'utf8' })
  .filter(file => /\.tsx?$/.test(file) && !file.startsWith(`levels${path.sep}search-size`))
  .filter(file => !/levels.(?:compile-once|search-table)/.test(file));
const sources = files.map(file => readFileSync(path.join(TESTS, file), 'utf8'));
const rows = [...readFileSync(path.join(ROOT, 'docs', 'testing.md'), 'utf8').matchAll(ROW)];
const sized = sources.flatMap(source => [...source.matchAll(SIZED)]);
const named = sources.flatMap(source => [...source.matchAll(NAMED_BY_CALLER)]);
const digits = (text: string | undefined): string => (text ?? '').replace(/[_,]/g, '');

it('each size of a search has a row in the table of the page about tests, and each row is of a size', () => {
  const known = [...sized, ...named].map(([, variable]) => variable as string);
  const told = [...rows.map(([, variable]) => variable as string), ...TOLD_ELSEWHERE];
  expect([...new Set(told)].sort()).toStrictEqual([...new Set(known)].sort());
});

/** The file and the variable of each row; `the same` stands for the file of the row above. */
function placesOfRows(): readonly (readonly [file: string, variable: string])[] {
  let file = '';
  return rows.map(([row, variable]) => {
    file = /^\| `([^`]+)`/.exec(row)?.[1] ?? file;
    return [file, variable as string] as const;
  });
}

it('each row names a test that is there, and the sizes of a test stand with it, each once', () => {
  const places = placesOfRows();
  expect(places.filter(([file]) => !existsSync(path.join(ROOT, file)))).toStrictEqual([]);
  const told = places.map(place => place.join(' '));
  expect(told.filter((place, index) => told.indexOf(place) !== index)).toStrictEqual([]);
  const ofTests = files.flatMap((file, index) => {
    const variables = [...(sources[index] as string).matchAll(SIZED)].map(([, variable]) => variable as string);
    return /\.spec\.tsx?$/.test(file) ? variables.map(variable => `test/${file} ${variable}`) : [];
  });
  expect(ofTests.filter(place => !told.includes(place) && !TOLD_ELSEWHERE.some(seed => place.endsWith(seed)))).toEqual(
    [],
  );
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
