import { Controller, Get, Req, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { h } from 'preact';
import { GetHome } from '../../../src/modules/home/queries/get-home.query';
import type { ApiRequest } from '../../../src/platform/http/caller';
import { DashboardPages } from '../../http/dashboard-pages';
import { SignedInPage } from '../../http/signed-in';
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
  async show(@Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.pages.show(
      { request, reply },
      ({ merchantId, mode, nowMs, timeZone, facts }) => {
        const { enabled_tokens: enabledTokens } = facts.settings;
        return this.queries.execute(new GetHome({ merchantId, mode, nowMs, timeZone, enabledTokens }));
      },
      view => h(HomePage, { view }),
    );
  }
}
