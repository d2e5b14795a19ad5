import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { h } from 'preact';
import { refuse } from '../../src/vocabulary/errors';
import { isId } from '../../src/vocabulary/ids';
import { CurrentCaller, RequireScope, type ApiRequest, type Caller } from '../../src/platform/http/caller';
import { RequestLog } from '../../src/platform/request-log/request-log';
import { DashboardPages } from '../http/dashboard-pages';
import { EnglishPages } from '../http/english-pages';
import { SignedInPage } from '../http/signed-in';
import { visitIn } from '../http/visits';
import { LoggedRequestPage } from './logged-request.page';

/**
 * The page behind an error's `request_log_url`: the log of a request, for its merchant, in its mode, and for nobody
 * else. Signed-in people are led to the page of the mode.
 */
@Controller('dashboard/requests')
export class LoggedRequestController {
  constructor(
    private readonly requests: RequestLog,
    private readonly pages: EnglishPages,
    private readonly dashboard: DashboardPages,
  ) {}

  @Get(':id')
  @SignedInPage('request_log.read')
  @RequireScope('request_log:read')
  async show(
    @CurrentCaller() caller: Caller | undefined,
    @Param('id') id: string,
    @Req() httpRequest: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const request = isId('req', id) ? await this.requests.get(id) : null;
    const owner = caller?.merchantId ?? visitIn(httpRequest)?.person.merchantId;
    if (request === null || request.merchant_id !== owner) throw refuse('resource_missing');
    if (caller === undefined) {
      this.dashboard.leadTo({ request: httpRequest, reply }, `/dashboard/${request.mode}/requests/${id}`);
      return;
    }
    if (request.mode !== caller.mode) throw refuse('resource_missing');
    const { docsUrl } = this.pages.urls;
    await this.pages.send(httpRequest, reply, h(LoggedRequestPage, { docsUrl, request }));
  }
}
