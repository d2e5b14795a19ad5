import { Module } from '@nestjs/common';
import { WritePath } from '../../kernel/write-path';
import { ApprovalGate } from './approval-gate';
import { DecideActionHandler, ProposeActionHandler } from './approval.command';

@Module({
  providers: [
    ProposeActionHandler,
    DecideActionHandler,
    { provide: ApprovalGate, useFactory: (writes: WritePath) => new ApprovalGate(writes), inject: [WritePath] },
  ],
  exports: [ApprovalGate],
})
export class ApprovalsModule {}
