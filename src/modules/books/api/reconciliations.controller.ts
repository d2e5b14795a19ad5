import { Controller, Get, Inject, Query } from '@nestjs/common';
import { refuse } from '../../../vocabulary/errors';
import { isId } from '../../../vocabulary/ids';
import { PORTS } from '../../../kernel/ports/injection';
import type { ReadModels } from '../../../kernel/ports/read-models';
import { CurrentCaller, RequireScope, type Caller } from '../../../platform/http/caller';
import { listPage, parsePage } from '../../../platform/http/lists';
import { Documented, Tagged } from '../../../platform/http/openapi-operation';
import { reconciliationsReadModel } from '../reconciliations.read-model';
import { dayRange } from '../utc-day';
import { presentReconciliation } from './reconciliation.presenter';
import { RECONCILIATION_OPERATIONS } from './reconciliations.contract';

@Tagged('Reconciliations')
@Controller('v1/reconciliations')
export class ReconciliationsController {
  constructor(@Inject(PORTS.readModels) private readonly readModels: ReadModels) {}

  @Get()
  @RequireScope('wallet:read')
  @Documented(RECONCILIATION_OPERATIONS.list)
  list(@CurrentCaller() { mode, merchantId }: Caller, @Query() query: Record<string, unknown>) {
    const page = parsePage(query, ['wallet', 'from', 'to']);
    const { wallet, from, to } = page.filters;
    if (wallet !== undefined && !isId('wal', wallet))
      throw refuse('invalid_filter', { param: 'wallet', message: 'wallet takes an id that begins with wal_.' });
    const range = dayRange(from, to);
    const own = { mode, merchant_id: merchantId };
    const source = {
      ...(wallet === undefined
        ? { index: 'by_merchant', equals: own }
        : { index: 'by_wallet', equals: { ...own, wallet } }),
      ...(range && { range }),
      order: ['day', 'id'],
    };
    return listPage(this.readModels, reconciliationsReadModel, source, page, {
      url: '/v1/reconciliations',
      present: presentReconciliation,
    });
  }
}
