import type { Document } from '../../../kernel/ports/documents';
import { isNumeric, type Schema, type SchemaOf } from '../../../platform/http/openapi-schema';
import type { JsonObject } from '../../../vocabulary/json';
import type { CsvColumn } from '../csv-record';
import type { ExportSource } from '../export-source';

/** Rows of one read, and the creation of the first and of the last document of it, which may have given no row. */
type ExportPage = { readonly rows: readonly JsonObject[]; readonly begun: string; readonly reached: string };

/** A list as a table: the columns, and the rows of an account's documents. */
export type ExportKind<Row extends JsonObject = JsonObject> = {
  /** One row: each field is a column. */
  readonly row: SchemaOf<Row>;
  readonly columns: readonly CsvColumn[];
  /** In the order of the list, page by page: a page is read once the one before has been taken. */
  readonly pages: (source: ExportSource) => AsyncGenerator<ExportPage>;
};

type Created = { readonly created: string | null };

/** `rowsOf` is pure: a document gives one row, one for each of its parts, or none where it is outside of the range. */
export function exportKind<Row extends JsonObject, Body extends JsonObject & Created>(
  row: SchemaOf<Row>,
  documents: (source: ExportSource) => AsyncGenerator<readonly Document<Body>[]>,
  rowsOf: (document: Document<Body>, range: NonNullable<ExportSource['range']>) => readonly Row[],
): ExportKind<Row> {
  return {
    row,
    columns: columnsOf(row),
    async *pages(source) {
      for await (const page of documents(source)) {
        const [begun, reached] = [page.at(0), page.at(-1)].map(document => document?.body.created ?? '');
        yield {
          rows: page.flatMap(document => rowsOf(document, source.range ?? {})),
          begun: begun ?? '',
          reached: reached ?? '',
        };
      }
    },
  };
}

function columnsOf({ properties }: Schema): readonly CsvColumn[] {
  return Object.entries(properties as Readonly<Record<string, Schema>>).map(([name, schema]) => ({
    name,
    isNumber: isNumeric(schema),
  }));
}
