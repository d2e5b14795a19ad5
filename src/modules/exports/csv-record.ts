import type { JsonValue } from '../../vocabulary/json';

/** Programs for tables take a cell that begins so for a formula, and run it. Some leave out the space before it. */
const FORMULA = /^(?:[\t\r\n]|[\s\u200b\u2060]*[=+\-@\uff1d\uff0b\uff0d\uff20])/;
/** In countries where a semicolon parts cells, these marks end a cell of this file, whatever its quotes. */
const FORMULA_BEHIND_END = /([;\t\r\n])(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/g;
const NEEDS_QUOTES = /[",\r\n]/;
const RECORD_END = '\r\n';

/** A column by its name. Only a text can be taken for a formula: a number may begin with a sign. */
export type CsvColumn = { readonly name: string; readonly isNumber: boolean };

/** The record of the columns' names, after RFC 4180. */
export function csvHeader(columns: readonly CsvColumn[]): string {
  return recordOf(columns.map(({ name }) => name));
}

/**
 * A row as a record, after RFC 4180. A null is an empty cell, and an object is its JSON. A text that begins as a
 * formula does has an apostrophe before it. The same holds for a part that could be taken for a cell of its own.
 */
export function csvRecord(columns: readonly CsvColumn[], row: Readonly<Record<string, JsonValue>>): string {
  return recordOf(columns.map(column => cellOf(column, row[column.name] ?? null)));
}

function cellOf({ isNumber }: CsvColumn, value: JsonValue): string {
  if (value === null) return '';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  if (isNumber) return text;
  const inert = text.replaceAll(FORMULA_BEHIND_END, "$1'");
  return FORMULA.test(inert) ? `'${inert}` : inert;
}

function recordOf(cells: readonly string[]): string {
  return cells.map(quoted).join(',') + RECORD_END;
}

function quoted(cell: string): string {
  return NEEDS_QUOTES.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
