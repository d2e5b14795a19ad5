import { Controller, Get, Inject, Param, Query } from '@nestjs/common';
import { PORTS } from '../../../kernel/ports/injection';
import type { ReadModels } from '../../../kernel/ports/read-models';
import { CurrentCaller, RequireScope, type Caller } from '../../../platform/http/caller';
import { getOwn, listOwn } from '../../../platform/http/lists';
import { Documented, Tagged } from '../../../platform/http/openapi-operation';
import { feeInvoicesReadModel } from '../fee-invoices.read-model';
import { presentFeeInvoice } from './fee.presenter';
import { FEE_INVOICE_OPERATIONS, type FeeInvoiceResource } from './fees.contract';

@Tagged('Fees')
@Controller('v1/fee_invoices')
export class FeeInvoicesController {
  constructor(@Inject(PORTS.readModels) private readonly readModels: ReadModels) {}

  @Get()
  @RequireScope('fee:read')
  @Documented(FEE_INVOICE_OPERATIONS.list)
  list(@CurrentCaller() caller: Caller, @Query() query: Record<string, unknown>) {
    const view = { url: '/v1/fee_invoices', present: presentFeeInvoice };
    return listOwn(this.readModels, feeInvoicesReadModel, caller, query, view);
  }

  @Get(':id')
  @RequireScope('fee:read')
  @Documented(FEE_INVOICE_OPERATIONS.get)
  async get(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<FeeInvoiceResource> {
    const asked = { prefix: 'finv', id, notFound: 'resource_missing' } as const;
    return presentFeeInvoice(await getOwn(this.readModels, feeInvoicesReadModel, caller, asked));
  }
}
