import { Controller, Get, Query } from '@nestjs/common';
import { CurrentCaller, RequireScope, type Caller } from '../../../platform/http/caller';
import { Documented, Tagged } from '../../../platform/http/openapi-operation';
import { ReconciliationReader } from './reconciliation.reader';
import { RECONCILIATION_OPERATIONS } from './reconciliations.contract';

@Tagged('Reconciliations')
@Controller('v1/reconciliations')
export class ReconciliationsController {
  constructor(private readonly reconciliations: ReconciliationReader) {}

  @Get()
  @RequireScope('wallet:read')
  @Documented(RECONCILIATION_OPERATIONS.list)
  list(@CurrentCaller() caller: Caller, @Query() query: Record<string, unknown>) {
    return this.reconciliations.list(caller, query);
  }
}
