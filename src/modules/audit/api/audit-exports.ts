import type { FileAnswer } from '../../../platform/http/file-answer';
import { parseFilters } from '../../../platform/http/lists';
import type { ExportFiles } from '../../exports/api/export-files';
import { askedExport } from '../../exports/queries/export-file';
import { AUDIT_COLUMNS, csvRow, presentEntry } from './audit-entry.resource';
import { AUDIT_FILTERS, type AuditReader } from './audit.reader';

/** The audit log as a file, for the API and for pages. */
export class AuditExports {
  constructor(
    private readonly reader: AuditReader,
    private readonly files: ExportFiles,
  ) {}

  /**
   * The rows that pass the filters of the list. Throws their refusals, parameter_invalid for the format, and rate_limit
   * while too many exports are under way.
   */
  begin(asker: string, query: Readonly<Record<string, unknown>>, nowMs: number): Promise<FileAnswer> {
    const { format, ...filters } = parseFilters(query, ['format', ...AUDIT_FILTERS]);
    const asked = askedExport({ format, from: filters.from, to: filters.to });
    const pages = this.reader.pages(filters);
    const rowOf = asked.format === 'csv' ? csvRow : presentEntry;
    const table = { columns: AUDIT_COLUMNS, pages: () => rowsOf(pages, rowOf) };
    return this.files.beginTable({ list: 'audit', mode: 'platform', asker, nowMs }, asked, table);
  }
}

async function* rowsOf(pages: ReturnType<AuditReader['pages']>, rowOf: typeof csvRow | typeof presentEntry) {
  for await (const page of pages) yield page.map(rowOf);
}
