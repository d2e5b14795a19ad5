import { Controller, Get, Inject, Query } from '@nestjs/common';
import { PORTS } from '../../../kernel/ports/injection';
import type { ReadModels } from '../../../kernel/ports/read-models';
import { CurrentCaller, RequireScope, type Caller } from '../../../platform/http/caller';
import { FileAnswer } from '../../../platform/http/file-answer';
import { parseFilters } from '../../../platform/http/lists';
import { Documented, Tagged } from '../../../platform/http/openapi-operation';
import { ExportsUnderWay } from '../exports-under-way';
import { askedExport, exportFileName, exportParts, type ExportFormat } from '../queries/export-file';
import type { ExportKindName } from '../queries/export-kinds';
import { EXPORT_OPERATIONS } from './exports.contract';

type Asked = Readonly<Record<string, unknown>>;

const CONTENT_TYPES: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv; charset=utf-8; header=present',
  jsonl: 'application/x-ndjson; charset=utf-8',
};

/** A path for each kind, because a path has one scope. */
@Tagged('Exports')
@Controller('v1/exports')
export class ExportsController {
  constructor(
    @Inject(PORTS.readModels) private readonly readModels: ReadModels,
    private readonly underWay: ExportsUnderWay,
  ) {}

  @Get('payments')
  @RequireScope('payment:read')
  @Documented(EXPORT_OPERATIONS.payments)
  payments(@CurrentCaller() caller: Caller, @Query() query: Asked) {
    return this.file('payments', caller, query);
  }

  @Get('transfers')
  @RequireScope('payment:read')
  @Documented(EXPORT_OPERATIONS.transfers)
  transfers(@CurrentCaller() caller: Caller, @Query() query: Asked) {
    return this.file('transfers', caller, query);
  }

  @Get('unmatched_transfers')
  @RequireScope('payment:read')
  @Documented(EXPORT_OPERATIONS.unmatched_transfers)
  unmatchedTransfers(@CurrentCaller() caller: Caller, @Query() query: Asked) {
    return this.file('unmatched_transfers', caller, query);
  }

  @Get('fees')
  @RequireScope('fee:read')
  @Documented(EXPORT_OPERATIONS.fees)
  fees(@CurrentCaller() caller: Caller, @Query() query: Asked) {
    return this.file('fees', caller, query);
  }

  @Get('invoices')
  @RequireScope('invoice:read')
  @Documented(EXPORT_OPERATIONS.invoices)
  invoices(@CurrentCaller() caller: Caller, @Query() query: Asked) {
    return this.file('invoices', caller, query);
  }

  private file(kind: ExportKindName, caller: Caller, query: Asked): Promise<FileAnswer> {
    const { format: text, from, to } = parseFilters(query, ['format', 'from', 'to']);
    const asked = askedExport({ format: text, from, to });
    const { merchantId, mode } = caller;
    const source = { readModels: this.readModels, merchantId, mode, ...(asked.range && { range: asked.range }) };
    const parts = this.underWay.counted(caller, texts(exportParts(kind, asked.format, source)));
    const name = exportFileName(kind, mode, asked, caller.now);
    return FileAnswer.begin({ name, contentType: CONTENT_TYPES[asked.format] }, parts);
  }
}

async function* texts(parts: ReturnType<typeof exportParts>): AsyncGenerator<string> {
  for await (const { text } of parts) yield text;
}
