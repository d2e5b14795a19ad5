import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import {
  commandContext,
  CurrentCaller,
  RequirePermission,
  RequireScope,
  type Caller,
} from '../../../platform/http/caller';
import { Documented, Tagged } from '../../../platform/http/openapi-operation';
import { SetAsideUnmatchedTransfer } from '../commands/set-aside-unmatched-transfer.command';
import { UnmatchedTransferReader } from './unmatched-transfer.reader';
import { SetAsideDto, UNMATCHED_TRANSFER_OPERATIONS } from './unmatched-transfers.contract';

@Tagged('Unmatched transfers')
@Controller('v1/unmatched_transfers')
export class UnmatchedTransfersController {
  constructor(
    private readonly commands: CommandBus,
    private readonly reader: UnmatchedTransferReader,
  ) {}

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

  @Post(':id/set_aside')
  @RequireScope('payment:create')
  @RequirePermission('transfer.set_aside')
  @Documented(UNMATCHED_TRANSFER_OPERATIONS.setAside)
  async setAside(@CurrentCaller() caller: Caller, @Param('id') id: string, @Body() { outcome, note }: SetAsideDto) {
    const context = commandContext(caller, 'merchant');
    const command = new SetAsideUnmatchedTransfer(id, { outcome, note }, context);
    return this.reader.setAside(caller, await this.commands.execute(command));
  }
}
