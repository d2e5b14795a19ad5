import { Controller, Get, Param, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { h } from 'preact';
import { refuse } from '../../../src/vocabulary/errors';
import { isId } from '../../../src/vocabulary/ids';
import type { ApiRequest } from '../../../src/platform/http/caller';
import { parseFilters } from '../../../src/platform/http/lists';
import { STATUS_CLASSES } from '../../../src/platform/request-log/request-list';
import { RequestLog } from '../../../src/platform/request-log/request-log';
import { DashboardPages } from '../../http/dashboard-pages';
import type { Person } from '../../http/person';
import { CurrentPerson, SignedInPage } from '../../http/signed-in';
import { RequestPage } from './request.page';
import { RequestsPage } from './requests.page';

const SHOWN = 50;
const FILTERS = ['status', 'path', 'key', 'starting_after'] as const;

/** The requests that an account's keys have sent. */
@Controller('dashboard/:mode/requests')
export class RequestsController {
  constructor(
    private readonly requests: RequestLog,
    private readonly pages: DashboardPages,
  ) {}

  @Get()
  @SignedInPage('request_log.read')
  async list(
    @CurrentPerson() { merchantId, mode }: Person,
    @Query() query: Record<string, unknown>,
    @Req() request: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { status = '', path = '', key = '', starting_after: after = '' } = parseFilters(query, FILTERS);
    const statusClass = STATUS_CLASSES.find(each => String(each) === status) ?? null;
    const view = async () => {
      const page = await this.requests.list({
        merchantId,
        mode,
        filters: { statusClass, path: path === '' ? null : path, keyId: key === '' ? null : key },
        after: isId('req', after) ? after : null,
        limit: SHOWN,
      });
      return { ...page, filters: { status, path, key }, isFirst: after === '' };
    };
    await this.pages.show({ request, reply }, view, shown => h(RequestsPage, shown));
  }

  @Get(':id')
  @SignedInPage('request_log.read')
  async show(
    @CurrentPerson() { merchantId, mode }: Person,
    @Param('id') id: string,
    @Req() request: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const logged = await this.requests.ofMerchant(merchantId, id);
    if (logged?.mode !== mode) throw refuse('resource_missing');
    await this.pages.send({ request, reply }, h(RequestPage, { logged }));
  }
}
