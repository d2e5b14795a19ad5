import { Controller, Get, Inject, Query } from '@nestjs/common';
import { PORTS } from '../../../kernel/ports/injection';
import type { ReadModels } from '../../../kernel/ports/read-models';
import { CurrentCaller, RequireScope, type Caller } from '../../../platform/http/caller';
import { listOwn } from '../../../platform/http/lists';
import { Documented, Tagged } from '../../../platform/http/openapi-operation';
import { feeAccountId, feeAccountsReadModel } from '../fee-accounts.read-model';
import { feeEntriesReadModel } from '../fee-entries.read-model';
import { presentBalance, presentFeeEntry } from './fee.presenter';
import { FEE_OPERATIONS, type FeeBalanceResource } from './fees.contract';

@Tagged('Fees')
@Controller('v1/fees')
export class FeesController {
  constructor(@Inject(PORTS.readModels) private readonly readModels: ReadModels) {}

  @Get()
  @RequireScope('fee:read')
  @Documented(FEE_OPERATIONS.list)
  list(@CurrentCaller() caller: Caller, @Query() query: Record<string, unknown>) {
    return listOwn(this.readModels, feeEntriesReadModel, caller, query, { url: '/v1/fees', present: presentFeeEntry });
  }

  @Get('balance')
  @RequireScope('fee:read')
  @Documented(FEE_OPERATIONS.balance)
  async balance(@CurrentCaller() { mode, merchantId }: Caller): Promise<FeeBalanceResource> {
    const account = await this.readModels.get(feeAccountsReadModel, mode, feeAccountId(mode, merchantId));
    return presentBalance(mode, account?.body);
  }
}
