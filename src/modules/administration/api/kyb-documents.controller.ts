import { Controller, Get, Param, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { AdminRoute } from '../../../platform/http/admin-admission';
import { sendAttachment } from '../../../platform/http/attachment';
import { GetCaseDocument } from '../../kyb/queries/get-case-document.query';

@Controller('admin/kyb_cases')
export class KybDocumentsController {
  constructor(private readonly queries: QueryBus) {}

  /** The document as it was sent, as a file. */
  @Get(':id/documents/:document')
  @AdminRoute({ permission: 'console.read' })
  async read(@Param('id') id: string, @Param('document') document: string, @Res() reply: FastifyReply): Promise<void> {
    sendAttachment(reply, await this.queries.execute(new GetCaseDocument(id, document)));
  }
}
