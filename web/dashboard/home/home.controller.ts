import { Controller, Get, Req, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { h } from 'preact';
import type { ApiRequest } from '../../../src/platform/http/caller';
import { DashboardPages } from '../../http/dashboard-pages';
import { SignedInPage } from '../../http/signed-in';
import { HomePage } from './home.page';

/** The first page of a mode. */
@Controller('dashboard/:mode')
export class HomeController {
  constructor(private readonly pages: DashboardPages) {}

  @Get()
  @SignedInPage(null)
  async show(@Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.pages.send({ request, reply }, h(HomePage, {}));
  }
}
