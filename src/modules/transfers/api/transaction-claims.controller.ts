import { Controller, Get, Inject, Query } from '@nestjs/common';
import { PORTS } from '../../../kernel/ports/injection';
import type { ReadModels } from '../../../kernel/ports/read-models';
import { CurrentCaller, RequireScope, type Caller } from '../../../platform/http/caller';
import { filterOf, listPage, parsePage } from '../../../platform/http/lists';
import { Documented, Tagged } from '../../../platform/http/openapi-operation';
import { NAMING_STATUSES } from '../../payment-intents/queries/payment-intent.answer';
import { namingsReadModel } from '../namings.read-model';
import { TRANSACTION_CLAIM_OPERATIONS } from './transaction-claim.contract';
import { presentNaming } from './transaction-claim.presenter';

const URL_PATH = '/v1/transaction_claims';

@Tagged('Transaction claims')
@Controller('v1/transaction_claims')
export class TransactionClaimsController {
  constructor(@Inject(PORTS.readModels) private readonly readModels: ReadModels) {}

  @Get()
  @RequireScope('payment:read')
  @Documented(TRANSACTION_CLAIM_OPERATIONS.list)
  list(@CurrentCaller() { mode, merchantId }: Caller, @Query() query: Record<string, unknown>) {
    const page = parsePage(query, ['status']);
    const status = filterOf(page, 'status', NAMING_STATUSES);
    const own = { mode, merchant_id: merchantId };
    const source =
      status === undefined
        ? { index: 'by_merchant', equals: own }
        : { index: 'by_merchant_status', equals: { ...own, status } };
    return listPage(this.readModels, namingsReadModel, { ...source, order: ['filed_at', 'id'] }, page, {
      url: URL_PATH,
      present: ({ id, body }) => presentNaming(id, body),
    });
  }
}
