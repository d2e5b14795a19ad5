import type { Document } from '../../../kernel/ports/documents';
import type { FileAnswer } from '../../../platform/http/file-answer';
import { parseFilters } from '../../../platform/http/lists';
import type { JsonObject } from '../../../vocabulary/json';
import type { ExportFiles } from '../../exports/api/export-files';
import { askedExport, type AskedExport } from '../../exports/queries/export-file';
import type { AuditEntryDocument } from '../audit-entry';
import { AUDIT_COLUMNS, csvRow, presentEntry } from './audit-entry.resource';
import type { AuditReader } from './audit.reader';

type Asker = { readonly asker: string; readonly nowMs: number };

/** The audit log as a file, for programs and for people alike. */
export class AuditExports {
  constructor(
    private readonly reader: AuditReader,
    private readonly files: ExportFiles,
  ) {}

  /** Throws the refusals of `askedExport`, and rate_limit while too many of the asker's are under way. */
  begin(asker: Asker, query: Readonly<Record<string, unknown>>): Promise<FileAnswer> {
    const { format, from, to } = parseFilters(query, ['format', 'from', 'to']);
    const asked = askedExport({ format, from, to });
    const table = { columns: AUDIT_COLUMNS, pages: () => this.rows(asked) };
    return this.files.beginTable({ list: 'audit', mode: 'platform', ...asker }, asked, table);
  }

  private async *rows({ format, range }: AskedExport): AsyncGenerator<readonly JsonObject[]> {
    const rowOf: (row: Document<AuditEntryDocument>) => JsonObject = format === 'csv' ? csvRow : presentEntry;
    for await (const page of this.reader.pages(range)) yield page.map(rowOf);
  }
}
