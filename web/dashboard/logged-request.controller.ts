import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { h } from 'preact';
import { refuse } from '../../src/vocabulary/errors';
import { isId } from '../../src/vocabulary/ids';
import { CurrentCaller, RequireScope, type ApiRequest, type Caller } from '../../src/platform/http/caller';
import { RequestLog } from '../../src/platform/request-log/request-log';
import { EnglishPages } from '../http/english-pages';
import { LoggedRequestPage } from './logged-request.page';

/**
 * The page behind an error's `request_log_url`: the log of a request, for its merchant, in its mode, and for nobody
 * else.
 */
@Controller('dashboard/requests')
export class LoggedRequestController {
  constructor(
    private readonly requests: RequestLog,
    private readonly pages: EnglishPages,
  ) {}

  @Get(':id')
  @RequireScope('request_log:read')
  async show(
    @CurrentCaller() { merchantId, mode }: Caller,
    @Param('id') id: string,
    @Req() httpRequest: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const request = isId('req', id) ? await this.requests.get(id) : null;
    if (request?.merchant_id !== merchantId || request.mode !== mode) throw refuse('resource_missing');
    const { docsUrl } = this.pages.urls;
    await this.pages.send(httpRequest, reply, h(LoggedRequestPage, { docsUrl, request }));
  }
}
