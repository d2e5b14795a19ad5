import { Module } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { MerchantClocks } from '../../kernel/merchant-clocks';
import { PORTS } from '../../kernel/ports/injection';
import type { ReadModels } from '../../kernel/ports/read-models';
import { ApprovalGate } from '../approvals/approval-gate';
import { ApprovalsModule } from '../approvals/approvals.module';
import { ADMIN_ACTION_CONTROLLERS } from './api/admin-actions.controllers';
import { AdminDocumentController } from './api/admin-document.controller';
import { ADMIN_LIST_CONTROLLERS } from './api/admin-lists.controllers';
import { Administration } from './api/administration';
import { ApprovalReader } from './api/approval.reader';
import { ApprovalsController } from './api/approvals.controller';
import { KybDocumentsController } from './api/kyb-documents.controller';

@Module({
  imports: [ApprovalsModule],
  controllers: [
    ...ADMIN_ACTION_CONTROLLERS,
    ...ADMIN_LIST_CONTROLLERS,
    ApprovalsController,
    KybDocumentsController,
    AdminDocumentController,
  ],
  providers: [
    {
      provide: ApprovalReader,
      inject: [PORTS.readModels],
      useFactory: (readModels: ReadModels) => new ApprovalReader(readModels),
    },
    {
      provide: Administration,
      inject: [ApprovalGate, CommandBus, PORTS.readModels, PORTS.clock],
      useFactory: (gate: ApprovalGate, commands: CommandBus, readModels: ReadModels, clock: MerchantClocks) =>
        new Administration(gate, commands, { readModels, clock }),
    },
  ],
  exports: [Administration, ApprovalReader],
})
export class AdministrationModule {}
