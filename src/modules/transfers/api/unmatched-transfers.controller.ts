import { Controller, Get, Param, Query } from '@nestjs/common';
import { CurrentCaller, RequireScope, type Caller } from '../../../platform/http/caller';
import { Documented, Tagged } from '../../../platform/http/openapi-operation';
import { UnmatchedTransferReader } from './unmatched-transfer.reader';
import { UNMATCHED_TRANSFER_OPERATIONS } from './unmatched-transfers.contract';

@Tagged('Unmatched transfers')
@Controller('v1/unmatched_transfers')
export class UnmatchedTransfersController {
  constructor(private readonly reader: UnmatchedTransferReader) {}

  @Get()
  @RequireScope('payment:read')
  @Documented(UNMATCHED_TRANSFER_OPERATIONS.list)
  list(@CurrentCaller() caller: Caller, @Query() query: Record<string, unknown>) {
    return this.reader.list(caller, query);
  }

  @Get(':id')
  @RequireScope('payment:read')
  @Documented(UNMATCHED_TRANSFER_OPERATIONS.get)
  get(@CurrentCaller() caller: Caller, @Param('id') id: string) {
    return this.reader.get(caller, id);
  }
}
