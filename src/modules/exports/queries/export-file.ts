import { isoTime } from '../../../kernel/clock';
import { timeRange } from '../../../kernel/timestamp';
import { refuse } from '../../../vocabulary/errors';
import type { JsonObject } from '../../../vocabulary/json';
import type { Universe } from '../../../vocabulary/modes';
import { csvHeader, csvRecord, type CsvColumn } from '../csv-record';
import type { ExportSource } from '../export-source';
import type { ExportKind } from './export-kind';
import { EXPORT_KINDS, type ExportKindName } from './export-kinds';

export const EXPORT_FORMATS = ['csv', 'jsonl'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

const DATE_LENGTH = '2026-11-01'.length;

/** A part of the file's text, which is empty where a page gave no row. */
export type ExportPart = { readonly text: string; readonly rows: number; readonly reached: string };

/** The file's text, part by part: a page is read once the part before has been taken. */
export async function* exportParts(
  kindName: ExportKindName,
  format: ExportFormat,
  source: ExportSource,
): AsyncGenerator<ExportPart> {
  const kind: Pick<ExportKind, 'columns' | 'pages'> = EXPORT_KINDS[kindName];
  if (format === 'csv') yield { text: csvHeader(kind.columns), rows: 0, reached: '' };
  for await (const page of kind.pages(source))
    yield { text: textOf(kind.columns, format, page.rows), rows: page.rows.length, reached: page.reached };
}

/** A table of no account: its rows come page by page. */
export type Table = {
  readonly columns: readonly CsvColumn[];
  readonly pages: () => AsyncGenerator<readonly JsonObject[]>;
};

/** The text of a table, part by part. */
export async function* tableTexts(format: ExportFormat, { columns, pages }: Table): AsyncGenerator<string> {
  if (format === 'csv') yield csvHeader(columns);
  for await (const rows of pages()) yield textOf(columns, format, rows);
}

function textOf(columns: readonly CsvColumn[], format: ExportFormat, rows: readonly JsonObject[]): string {
  const lines =
    format === 'csv' ? rows.map(row => csvRecord(columns, row)) : rows.map(row => `${JSON.stringify(row)}\n`);
  return lines.join('');
}

/** The creation of the oldest document of the export; null where there is none. */
export async function oldestOfExport(kindName: ExportKindName, source: ExportSource): Promise<string | null> {
  const { pages }: Pick<ExportKind, 'pages'> = EXPORT_KINDS[kindName];
  for await (const { begun } of pages({ ...source, ascending: true })) return begun;
  return null;
}

export type AskedExport = { readonly format: ExportFormat; readonly range?: ExportSource['range'] };

/** Throws Refusal parameter_invalid, invalid_timestamp or invalid_range, which names the field at fault. */
export function askedExport(asked: {
  readonly format: string | undefined;
  readonly from: string | undefined;
  readonly to: string | undefined;
}): AskedExport {
  const { format: text = 'csv' } = asked;
  const format = EXPORT_FORMATS.find(known => known === text);
  if (format === undefined) {
    const message = `The format of an export is one of ${EXPORT_FORMATS.join(', ')}.`;
    throw refuse('parameter_invalid', { param: 'format', message });
  }
  const range = timeRange({ text: asked.from, param: 'from' }, { text: asked.to, param: 'to' });
  return { format, ...(range && { range }) };
}

/** Names the list, the mode and the days: `payments-live-2026-10-01-to-2026-10-31.csv`. */
export function exportFileName(
  list: string,
  mode: Universe,
  { format, range = {} }: AskedExport,
  nowMs: number,
): string {
  const { from, to = isoTime(nowMs) } = range;
  const days = [...(from === undefined ? [] : [from.slice(0, DATE_LENGTH)]), 'to', to.slice(0, DATE_LENGTH)];
  return `${list}-${mode}-${days.join('-')}.${format}`;
}
