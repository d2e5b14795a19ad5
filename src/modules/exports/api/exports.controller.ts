import { Controller, Get, Query } from '@nestjs/common';
import { CurrentCaller, RequirePermission, RequireScope, type Caller } from '../../../platform/http/caller';
import type { FileAnswer } from '../../../platform/http/file-answer';
import { Documented, Tagged } from '../../../platform/http/openapi-operation';
import type { ExportKindName } from '../queries/export-kinds';
import { ExportFiles } from './export-files';
import { EXPORT_OPERATIONS } from './exports.contract';

type Asked = Readonly<Record<string, unknown>>;

/** A path for each kind, because a path has one scope. */
@Tagged('Exports')
@Controller('v1/exports')
export class ExportsController {
  constructor(private readonly files: ExportFiles) {}

  @Get('payments')
  @RequireScope('payment:read')
  @RequirePermission('export.create')
  @Documented(EXPORT_OPERATIONS.payments)
  payments(@CurrentCaller() caller: Caller, @Query() query: Asked) {
    return this.file('payments', caller, query);
  }

  @Get('transfers')
  @RequireScope('payment:read')
  @RequirePermission('export.create')
  @Documented(EXPORT_OPERATIONS.transfers)
  transfers(@CurrentCaller() caller: Caller, @Query() query: Asked) {
    return this.file('transfers', caller, query);
  }

  @Get('unmatched_transfers')
  @RequireScope('payment:read')
  @RequirePermission('export.create')
  @Documented(EXPORT_OPERATIONS.unmatched_transfers)
  unmatchedTransfers(@CurrentCaller() caller: Caller, @Query() query: Asked) {
    return this.file('unmatched_transfers', caller, query);
  }

  @Get('fees')
  @RequireScope('fee:read')
  @RequirePermission('export.create')
  @Documented(EXPORT_OPERATIONS.fees)
  fees(@CurrentCaller() caller: Caller, @Query() query: Asked) {
    return this.file('fees', caller, query);
  }

  @Get('invoices')
  @RequireScope('invoice:read')
  @RequirePermission('export.create')
  @Documented(EXPORT_OPERATIONS.invoices)
  invoices(@CurrentCaller() caller: Caller, @Query() query: Asked) {
    return this.file('invoices', caller, query);
  }

  private file(kind: ExportKindName, caller: Caller, query: Asked): Promise<FileAnswer> {
    return this.files.begin(kind, { ...caller, nowMs: caller.now }, query);
  }
}
