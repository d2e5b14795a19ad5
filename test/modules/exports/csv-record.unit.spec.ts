import { parseCsv } from '../../../src/cli/csv';
import { csvHeader, csvRecord, type CsvColumn } from '../../../src/modules/exports/csv-record';

const columns: readonly CsvColumn[] = [
  { name: 'id', isNumber: false },
  { name: 'amount', isNumber: true },
  { name: 'note', isNumber: false },
  { name: 'metadata', isNumber: false },
];

const row = (note: string | null, amount: string | null = '1') => ({ id: 'pi_1', amount, note, metadata: {} });
const recordOf = (...given: Parameters<typeof row>) => csvRecord(columns, row(...given));

it('begins with the names of the columns, and ends each record as RFC 4180 does', () => {
  expect(csvHeader(columns)).toBe('id,amount,note,metadata\r\n');
  expect(recordOf('Two tickets')).toBe('pi_1,1,Two tickets,{}\r\n');
});

it('leaves the cell of a null empty', () => {
  expect(recordOf(null, null)).toBe('pi_1,,,{}\r\n');
});

it.each([
  ['a comma', 'a,b', '"a,b"'],
  ['quotes', 'a "b"', '"a ""b"""'],
  ['a line feed', 'a\nb', '"a\nb"'],
  ['a carriage return', 'a\rb', '"a\rb"'],
  ['a text of two lines', 'a\r\nb', '"a\r\nb"'],
  ['spaces at its ends', ' a ', ' a '],
  ['letters of any script', 'Grüße, 東京 🪙', '"Grüße, 東京 🪙"'],
])('keeps %s', (_, note, cell) => {
  expect(recordOf(note)).toBe(`pi_1,1,${cell},{}\r\n`);
  expect(parseCsv(csvHeader(columns) + recordOf(note))).toEqual([{ id: 'pi_1', amount: '1', note, metadata: '{}' }]);
});

it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t1', '\r1', '\n1', '=HYPERLINK("http://a.example","x")', '-5'])(
  'is no formula: %j',
  note => {
    const [read] = parseCsv(csvHeader(columns) + recordOf(note));
    expect(read?.note).toBe(`'${note}`);
  },
);

it.each([' =1', '\u00a0-1', '\u200b=1', '\uff1d1+1', '\uff0b1', '\uff0d1', '\uff20SUM(A1)'])(
  'is no formula in a program that is kinder still: %j',
  note => {
    const [read] = parseCsv(csvHeader(columns) + recordOf(note));
    expect(read?.note).toBe(`'${note}`);
  },
);

it.each([
  ['tea;=cmd|"/c calc"!A1', `tea;'=cmd|"/c calc"!A1`],
  ['tea\n=1+1', "tea\n'=1+1"],
  ['tea\r\n@SUM(A1)', "tea\r\n'@SUM(A1)"],
  ['tea\t-1', "tea\t'-1"],
  [';;+1', ";;'+1"],
  ['\n=1', "'\n'=1"],
  ['tea; coffee - hot', 'tea; coffee - hot'],
])('has no formula where a semicolon parts the cells: %j', (note, shown) => {
  const [read] = parseCsv(csvHeader(columns) + recordOf(note));
  expect(read?.note).toBe(shown);
  const cells = recordOf(note).split(/[;\t\r\n]/);
  expect(cells.filter(cell => /^[=+\-@]/.test(cell))).toEqual([]);
});

it('has no formula in the JSON of an object', () => {
  const metadata = { order: 'a;=1+1' };
  expect(csvRecord(columns, { ...row('a'), metadata })).not.toContain(';=');
});

it('leaves the sign of a number, which is to be summed', () => {
  expect(recordOf('a', '-2500')).toBe('pi_1,-2500,a,{}\r\n');
});

it('writes an object as its JSON', () => {
  const metadata = { order: '=1,"2"' };
  const text = csvHeader(columns) + csvRecord(columns, { ...row('a'), metadata });
  expect(JSON.parse(parseCsv(text)[0]?.metadata ?? '')).toEqual(metadata);
});
