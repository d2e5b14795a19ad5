import { Module } from '@nestjs/common';
import type { Clock } from '../../kernel/clock';
import type { Documents } from '../../kernel/ports/documents';
import { PORTS } from '../../kernel/ports/injection';
import type { SecretBox } from '../../kernel/ports/secret-box';
import { DecideKybCaseHandler } from './commands/decide-kyb-case.command';
import { BeginKybHandler, OpenKybCaseHandler, SubmitKybCaseHandler } from './commands/kyb-case.command';
import { AddKybDocumentHandler, RemoveKybDocumentHandler } from './commands/kyb-documents.command';
import { KybDocumentBytes } from './kyb-document-bytes';
import { GetCaseDocumentHandler } from './queries/get-case-document.query';
import { GetKybDocumentHandler } from './queries/get-kyb-document.query';
import { GetKybStandingHandler } from './queries/get-kyb-standing.query';

@Module({
  providers: [
    BeginKybHandler,
    OpenKybCaseHandler,
    SubmitKybCaseHandler,
    AddKybDocumentHandler,
    RemoveKybDocumentHandler,
    DecideKybCaseHandler,
    GetKybStandingHandler,
    GetKybDocumentHandler,
    GetCaseDocumentHandler,
    {
      provide: KybDocumentBytes,
      useFactory: (documents: Documents, secretBox: SecretBox, clock: Clock) =>
        KybDocumentBytes.open(documents, secretBox, clock),
      inject: [PORTS.documents, PORTS.secretBox, PORTS.clock],
    },
  ],
  exports: [KybDocumentBytes],
})
export class KybModule {}
