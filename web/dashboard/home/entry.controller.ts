import { Controller, Get, Req, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { ApiRequest } from '../../../src/platform/http/caller';
import { DashboardPages } from '../../http/dashboard-pages';
import { SignedInPage } from '../../http/signed-in';
import { NoPage } from '../../page-routes';

/** The way into the dashboard: it leads to the mode in which the person works first. */
@Controller('dashboard')
export class EntryController {
  constructor(private readonly pages: DashboardPages) {}

  @Get()
  @NoPage()
  @SignedInPage(null)
  enter(@Req() request: ApiRequest, @Res() reply: FastifyReply): void {
    this.pages.leadTo({ request, reply }, '');
  }
}
