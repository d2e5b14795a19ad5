import { Controller, Get, Query } from '@nestjs/common';
import { CurrentCaller, RequireScope, type Caller } from '../../../platform/http/caller';
import { Documented, Tagged } from '../../../platform/http/openapi-operation';
import { FeeReader } from './fee.reader';
import { FEE_OPERATIONS, type FeeBalanceResource } from './fees.contract';

@Tagged('Fees')
@Controller('v1/fees')
export class FeesController {
  constructor(private readonly fees: FeeReader) {}

  @Get()
  @RequireScope('fee:read')
  @Documented(FEE_OPERATIONS.list)
  list(@CurrentCaller() caller: Caller, @Query() query: Record<string, unknown>) {
    return this.fees.entries(caller, query);
  }

  @Get('balance')
  @RequireScope('fee:read')
  @Documented(FEE_OPERATIONS.balance)
  balance(@CurrentCaller() caller: Caller): Promise<FeeBalanceResource> {
    return this.fees.balance(caller);
  }
}
