import { Module } from '@nestjs/common';
import { PORTS } from '../../kernel/ports/injection';
import type { ReadModels } from '../../kernel/ports/read-models';
import { WritePath } from '../../kernel/write-path';
import { ApprovalReader } from './api/approval.reader';
import { ApprovalGate } from './approval-gate';
import { DecideActionHandler, ProposeActionHandler } from './commands/approval.command';

@Module({
  providers: [
    ProposeActionHandler,
    DecideActionHandler,
    { provide: ApprovalGate, useFactory: (writes: WritePath) => new ApprovalGate(writes), inject: [WritePath] },
    {
      provide: ApprovalReader,
      useFactory: (readModels: ReadModels) => new ApprovalReader(readModels),
      inject: [PORTS.readModels],
    },
  ],
  exports: [ApprovalGate, ApprovalReader],
})
export class ApprovalsModule {}
