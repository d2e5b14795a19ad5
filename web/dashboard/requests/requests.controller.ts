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
import { givenFilters, givenTexts, orFilterFault, type Given } from '../../http/given-filters';
import { REQUEST_FILTERS, RequestsPage } from './requests.page';

const SHOWN = 50;
const PARAMETERS = ['status', 'path', 'key', 'starting_after'] as const;

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
    @CurrentPerson() person: Person,
    @Query() query: Given,
    @Req() request: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const view = () => this.found(person, givenFilters(query));
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

  private found({ merchantId, mode }: Person, given: Given) {
    const { status = '', path = '', key = '', starting_after: after } = givenTexts(given);
    const shown = { filters: { status, path, key }, isFirst: after === undefined };
    return orFilterFault(REQUEST_FILTERS, { ...shown, requests: [], next: null }, async () => {
      const asked = parseFilters(given, PARAMETERS);
      if (after !== undefined && !isId('req', after)) throw refuse('invalid_cursor', { param: 'starting_after' });
      const filters = { statusClass: statusClass(asked.status), path: asked.path ?? null, keyId: asked.key ?? null };
      const page = await this.requests.list({ merchantId, mode, filters, after: after ?? null, limit: SHOWN });
      return { ...shown, ...page };
    });
  }
}

/** Throws Refusal invalid_filter. */
function statusClass(text: string | undefined): number | null {
  if (text === undefined) return null;
  const known = STATUS_CLASSES.find(each => String(each) === text);
  if (known === undefined) throw refuse('invalid_filter', { param: 'status' });
  return known;
}
