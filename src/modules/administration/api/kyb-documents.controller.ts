import { Controller, Get, Param, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { AdminRoute } from '../../../platform/http/admin-admission';
import type { ApiReply } from '../../../platform/http/caller';
import { sendAttachment } from '../../../platform/http/attachment';
import { Outlined, Tagged } from '../../../platform/http/openapi-operation';
import { GetCaseDocument } from '../../kyb/queries/get-case-document.query';

@Tagged('Queues and objects')
@Controller('admin/kyb_cases')
export class KybDocumentsController {
  constructor(private readonly queries: QueryBus) {}

  /** The document as it was sent, as a file. */
  @Get(':id/documents/:document')
  @AdminRoute({ permission: 'console.read' })
  @Outlined('readKybDocument', 'Retrieve a document of a case, as a file')
  async read(@Param('id') id: string, @Param('document') document: string, @Res() reply: ApiReply): Promise<void> {
    sendAttachment(reply, await this.queries.execute(new GetCaseDocument(id, document)));
  }
}
