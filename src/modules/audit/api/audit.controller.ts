import { Controller, Get, Inject, Query } from '@nestjs/common';
import type { Clock } from '../../../kernel/clock';
import { PORTS } from '../../../kernel/ports/injection';
import { AdminRoute, CurrentAdmin } from '../../../platform/http/admin-admission';
import type { AdmittedAdmin } from '../../../platform/http/admitted-admin';
import type { FileAnswer } from '../../../platform/http/file-answer';
import { parseFilters, type ListEnvelope } from '../../../platform/http/lists';
import { ExportFiles } from '../../exports/api/export-files';
import { askedExport } from '../../exports/queries/export-file';
import { AUDIT_COLUMNS, csvRow, presentEntry, type AuditEntryResource } from './audit-entry.resource';
import { AuditReader } from './audit.reader';

type Asked = Readonly<Record<string, unknown>>;

@Controller('admin')
export class AuditController {
  constructor(
    private readonly reader: AuditReader,
    private readonly files: ExportFiles,
    @Inject(PORTS.clock) private readonly clock: Clock,
  ) {}

  @Get('audit_entries')
  @AdminRoute({ permission: 'audit.read' })
  list(@Query() query: Asked): Promise<ListEnvelope<AuditEntryResource>> {
    return this.reader.list(query);
  }

  @Get('exports/audit')
  @AdminRoute({ permission: 'audit.read' })
  export(@CurrentAdmin() { by }: AdmittedAdmin, @Query() query: Asked): Promise<FileAnswer> {
    const { format, from, to } = parseFilters(query, ['format', 'from', 'to']);
    const asked = askedExport({ format, from, to });
    const rowOf = asked.format === 'csv' ? csvRow : presentEntry;
    const table = { columns: AUDIT_COLUMNS, pages: () => this.rows(asked.range, rowOf) };
    return this.files.beginTable(
      { list: 'audit', mode: 'platform', asker: by.id, nowMs: this.clock.now() },
      asked,
      table,
    );
  }

  private async *rows(range: Parameters<AuditReader['pages']>[0], rowOf: typeof csvRow | typeof presentEntry) {
    for await (const page of this.reader.pages(range)) yield page.map(rowOf);
  }
}
