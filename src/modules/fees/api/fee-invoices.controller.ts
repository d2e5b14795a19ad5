import { Controller, Get, Param, Query } from '@nestjs/common';
import { CurrentCaller, RequireScope, type Caller } from '../../../platform/http/caller';
import { Documented, Tagged } from '../../../platform/http/openapi-operation';
import { FeeReader } from './fee.reader';
import { FEE_INVOICE_OPERATIONS, type FeeInvoiceResource } from './fees.contract';

@Tagged('Fees')
@Controller('v1/fee_invoices')
export class FeeInvoicesController {
  constructor(private readonly fees: FeeReader) {}

  @Get()
  @RequireScope('fee:read')
  @Documented(FEE_INVOICE_OPERATIONS.list)
  list(@CurrentCaller() caller: Caller, @Query() query: Record<string, unknown>) {
    return this.fees.invoices(caller, query);
  }

  @Get(':id')
  @RequireScope('fee:read')
  @Documented(FEE_INVOICE_OPERATIONS.get)
  get(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<FeeInvoiceResource> {
    return this.fees.invoice(caller, id);
  }
}
