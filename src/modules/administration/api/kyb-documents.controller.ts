import { Controller, Get, Param, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { AdminRoute } from '../../../platform/http/admin-admission';
import type { ApiReply } from '../../../platform/http/caller';
import { sendAttachment } from '../../../platform/http/attachment';
import { Documented, Tagged, type OperationFacts } from '../../../platform/http/openapi-operation';
import { text } from '../../../platform/http/openapi-schema';
import { GetCaseDocument } from '../../kyb/queries/get-case-document.query';

const READ_DOCUMENT: OperationFacts = {
  id: 'readKybDocument',
  summary: 'Retrieve a document of a case, as a file',
  answer: { ...text('The bytes as the merchant has sent them'), format: 'binary' },
  sentAs: ['application/pdf', 'image/png', 'image/jpeg'],
  refuses: ['kyb_case_not_found', 'resource_missing'],
};

@Tagged('Queues and objects')
@Controller('admin/kyb_cases')
export class KybDocumentsController {
  constructor(private readonly queries: QueryBus) {}

  /** The document as it was sent, as a file. */
  @Get(':id/documents/:document')
  @AdminRoute({ permission: 'console.read' })
  @Documented(READ_DOCUMENT)
  async read(@Param('id') id: string, @Param('document') document: string, @Res() reply: ApiReply): Promise<void> {
    sendAttachment(reply, await this.queries.execute(new GetCaseDocument(id, document)));
  }
}
