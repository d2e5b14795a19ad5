import { Controller, Get, Req, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { h } from 'preact';
import { GetHome } from '../../../src/modules/home/queries/get-home.query';
import type { ApiRequest } from '../../../src/platform/http/caller';
import { DashboardPages } from '../../http/dashboard-pages';
import type { Person } from '../../http/person';
import { CurrentPerson, SignedInPage } from '../../http/signed-in';
import { HomePage } from './home.page';

/** The first page of a mode. */
@Controller('dashboard/:mode')
export class HomeController {
  constructor(
    private readonly queries: QueryBus,
    private readonly pages: DashboardPages,
  ) {}

  @Get()
  @SignedInPage(null)
  async show(
    @CurrentPerson() { merchantId, mode, nowMs, timeZone, facts }: Person,
    @Req() request: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const owner = { merchantId, mode, nowMs, timeZone, enabledTokens: facts.settings.enabled_tokens };
    await this.pages.show(
      { request, reply },
      () => this.queries.execute(new GetHome(owner)),
      view => h(HomePage, { view }),
    );
  }
}
