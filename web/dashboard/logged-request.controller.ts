import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { h } from 'preact';
import { refuse } from '../../src/vocabulary/errors';
import { CurrentCaller, RequireScope, type ApiRequest, type Caller } from '../../src/platform/http/caller';
import { RequestLog } from '../../src/platform/request-log/request-log';
import { DashboardPages } from '../http/dashboard-pages';
import { EnglishPages } from '../http/english-pages';
import type { Person } from '../http/person';
import { CurrentPerson, SignedInPage } from '../http/signed-in';
import { NoPage } from '../page-routes';
import { LoggedRequestPage } from './logged-request.page';

/**
 * The page behind an error's `request_log_url`: the log of a request, for its merchant, in its mode, and for nobody
 * else.
 */
@Controller('dashboard/requests')
export class LoggedRequestController {
  constructor(
    private readonly requests: RequestLog,
    private readonly english: EnglishPages,
    private readonly pages: DashboardPages,
  ) {}

  @Get(':id')
  @RequireScope('request_log:read')
  async show(
    @CurrentCaller() { merchantId, mode }: Caller,
    @Param('id') id: string,
    @Req() httpRequest: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const request = await this.requests.ofMerchant(merchantId, id);
    if (request?.mode !== mode) throw refuse('resource_missing');
    const { docsUrl } = this.english.urls;
    await this.english.send(httpRequest, reply, h(LoggedRequestPage, { docsUrl, request }));
  }

  /** Leads a signed-in person to the request's page in its mode: an error's address names none. */
  @Get(':id/open')
  @NoPage()
  @SignedInPage('request_log.read')
  async open(
    @CurrentPerson() { merchantId }: Person,
    @Param('id') id: string,
    @Req() httpRequest: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const request = await this.requests.ofMerchant(merchantId, id);
    if (request === null || request.mode === null) throw refuse('resource_missing');
    this.pages.leadTo({ request: httpRequest, reply }, `/dashboard/${request.mode}/requests/${id}`);
  }
}
