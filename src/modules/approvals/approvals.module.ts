import { Module } from '@nestjs/common';
import type { ReadModels } from '../../kernel/ports/read-models';
import { PORTS } from '../../kernel/ports/injection';
import { WritePath } from '../../kernel/write-path';
import { ApprovalGate } from './approval-gate';
import { DecideActionHandler, ProposeActionHandler } from './approval.command';

@Module({
  providers: [
    ProposeActionHandler,
    DecideActionHandler,
    {
      provide: ApprovalGate,
      useFactory: (writes: WritePath, readModels: ReadModels) => new ApprovalGate(writes, readModels),
      inject: [WritePath, PORTS.readModels],
    },
  ],
  exports: [ApprovalGate],
})
export class ApprovalsModule {}
