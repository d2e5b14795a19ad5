import { Controller, Get, Param, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { GetCaseDocument } from '../../../src/modules/kyb/queries/get-case-document.query';
import { sendAttachment } from '../../../src/platform/http/attachment';
import { isRefusal, refuse } from '../../../src/vocabulary/errors';
import { ConsoleRoute } from '../../http/signed-in';
import { NoPage } from '../../page-routes';

/** The documents of a case as they were sent, as files. */
@Controller('console/kyb')
export class ConsoleKybDocumentsController {
  constructor(private readonly queries: QueryBus) {}

  @Get(':id/documents/:document')
  @NoPage()
  @ConsoleRoute('console.read')
  async read(@Param('id') id: string, @Param('document') document: string, @Res() reply: FastifyReply): Promise<void> {
    const file = await this.queries.execute(new GetCaseDocument(id, document)).catch((error: unknown) => {
      throw isRefusal(error, 'kyb_case_not_found') ? refuse('resource_missing') : error;
    });
    sendAttachment(reply, file);
  }
}
