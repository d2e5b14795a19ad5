/** The file is not CSV as RFC 4180 has it. */
export class CsvFault extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CsvFault';
  }
}

/**
 * Comma-separated values after RFC 4180, the first record naming the fields: quoted fields may hold commas, quotes
 * (doubled) and line ends. Throws CsvFault for quotes that do not match and for a record with more or fewer fields than
 * the first.
 */
export function parseCsv(text: string): readonly Readonly<Record<string, string>>[] {
  const [header, ...records] = recordsOf(text.replace(/^\uFEFF/, ''));
  if (!header) throw new CsvFault('The file is empty.');
  return records.map((record, index) => {
    if (record.length !== header.length) {
      throw new CsvFault(`Row ${index + 1} has ${record.length} fields, the header has ${header.length}.`);
    }
    return Object.fromEntries(header.map((name, column) => [name, record[column] as string]));
  });
}

/** A field and its end; sticky, so that nothing between two fields is passed over. */
const FIELD = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/y;

function recordsOf(text: string): string[][] {
  const records: string[][] = [];
  let record: string[] = [];
  FIELD.lastIndex = 0;
  while (FIELD.lastIndex < text.length || record.length > 0) {
    const start = FIELD.lastIndex;
    const match = FIELD.exec(text);
    if (!match) throw new CsvFault(`Row ${records.length} has a quote that does not match (character ${start + 1}).`);
    const [, quoted, plain, end] = match;
    record.push(quoted?.replaceAll('""', '"') ?? plain ?? '');
    if (end === ',') continue;
    const isBlank = record.length === 1 && record[0] === '';
    if (!isBlank) records.push(record);
    record = [];
  }
  return records;
}
