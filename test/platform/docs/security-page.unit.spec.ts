import { readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '..', '..', '..');
const ROW = /^\| ([\d., ]+) \| [^|]+ \| (.+) \|$/gm;
const NAMED = /\(ASVS ([\d., ]+)\)/g;
/** The requirements for sessions, cookies, foreign sites, factors and passkeys that the service has set itself. */
const WANTED = [
  ...['3.3.1', '3.3.2', '3.3.3', '3.3.4', '3.5.1', '3.5.8', '6.3.1', '6.5.1', '6.5.2', '6.5.5', '6.5.8', '6.7.2'],
  ...['7.1.2', '7.2.4', '7.3.1', '7.3.2', '7.4.1', '7.4.2', '7.4.3', '7.4.4', '7.4.5', '7.5.1', '7.5.3'],
];

const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');
const rows = [...read('docs/security.md').matchAll(ROW)].map(([, numbers = '', files = '']) => ({
  numbers: numbers.split(', '),
  files: files.split(', ').map(file => file.replaceAll('`', '')),
}));
/** The requirements in the names of a file's tests. */
const namedIn = (file: string) => [...read(file).matchAll(NAMED)].flatMap(([, numbers = '']) => numbers.split(', '));

it('has a row for each requirement', () => {
  const listed = rows.flatMap(({ numbers }) => numbers);
  expect(WANTED.filter(number => !listed.includes(number))).toEqual([]);
});

it.each(rows.map(row => [row.numbers.join(', '), row] as const))(
  'names tests for %s that have the number in their names',
  (_, { numbers, files }) => {
    const named = files.map(file => [file, namedIn(file)] as const);
    expect(numbers.filter(number => !named.some(([, each]) => each.includes(number)))).toEqual([]);
    expect(named.filter(([, each]) => !numbers.some(number => each.includes(number)))).toEqual([]);
  },
);
